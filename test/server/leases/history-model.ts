import * as fc from 'fast-check'

const person = fc.constantFrom('owner' as const, 'tenant' as const, 'other' as const)
const outcome = fc.constantFrom(
  'SIGNED' as const,
  'SIGNED' as const,
  'SIGNED' as const,
  'DECLINED' as const,
  'EXPIRED' as const,
)
const end = fc.constantFrom('delete' as const, 'terminate' as const, 'revise' as const, 'complete' as const)
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('sign' as const), signer: person, byThemselves: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('webhook' as const), signer: person, outcome }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('patch' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: end }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), signer: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('decline' as const), signer: person }) },
)
export type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never
type Kind = Operation['kind']

/** The operations of a wave run at once; the next wave begins when all have responses. */
export const history = fc.record({
  waves: fc.array(fc.array(operation, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 }),
  tenants: fc.constantFrom(1, 2),
  ahead: fc.oneof(fc.constant(0), fc.nat(7)),
})
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Lists the operations of an undisturbed agreement; a history starts after some of them. */
export function listUndisturbedSteps(tenants: number): Operation[] {
  const signers = (['owner', 'tenant', 'other'] as const).slice(0, 1 + tenants)
  const signatures = signers.flatMap((signer): Operation[] => [
    { kind: 'sign', signer, byThemselves: true },
    { kind: 'webhook', signer, outcome: 'SIGNED' },
  ])
  return [...signatures, { kind: 'terminate' }]
}

export type State = 'DRAFT' | 'PENDING' | 'ACTIVE' | 'TERMINATED' | 'COMPLETED' | 'GONE'
const stay = (state: State, ...types: string[]) => Object.fromEntries(types.map(type => [type, state]))
const late = ['signed', 'expired', 'declined', 'document_stored']
/** The entries that each state allows, and the state after each. Signature entries may be late. */
export const transitions: Record<State, Record<string, State>> = {
  DRAFT: { ...stay('DRAFT', 'changed', 'declined'), deleted: 'GONE', sent: 'PENDING' },
  PENDING: {
    ...stay('PENDING', 'sent', 'reissued', 'viewed', 'signed', 'declined', 'expired', 'cancelled'),
    activated: 'ACTIVE',
    terminated: 'TERMINATED',
    revised: 'TERMINATED',
  },
  ACTIVE: { ...stay('ACTIVE', ...late), terminated: 'TERMINATED' },
  TERMINATED: { ...stay('TERMINATED', ...late), completed: 'COMPLETED' },
  COMPLETED: stay('COMPLETED', ...late),
  GONE: {},
}

/** The states that explain a response status. */
export const statesByStatus: Partial<Record<Kind, Record<number, State[]>>> = {
  patch: { 200: ['DRAFT'], 403: ['PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  delete: { 200: ['DRAFT'], 403: ['PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  terminate: { 200: ['PENDING', 'ACTIVE'], 403: ['DRAFT', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  revise: { 201: ['PENDING'], 403: ['DRAFT', 'ACTIVE', 'TERMINATED', 'COMPLETED'], 404: ['GONE'] },
  complete: { 200: ['TERMINATED'], 403: ['DRAFT', 'PENDING', 'ACTIVE', 'COMPLETED'], 404: ['GONE'] },
  sign: {
    200: ['DRAFT', 'PENDING'],
    400: ['DRAFT', 'PENDING'],
    403: ['ACTIVE', 'TERMINATED', 'COMPLETED'],
    404: ['GONE'],
  },
  decline: {
    200: ['DRAFT', 'PENDING'],
    400: ['PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'],
    403: ['TERMINATED', 'COMPLETED'],
    404: ['GONE'],
  },
}

/** The entry of an acknowledged operation. */
export const entryByKind: Partial<Record<Kind, string>> = {
  patch: 'changed',
  delete: 'deleted',
  terminate: 'terminated',
  revise: 'revised',
  complete: 'completed',
}

export const webhooks = {
  SIGNED: ['ESIGN_COMPLETE', 'sign_complete', 'signed', null],
  DECLINED: ['ESIGN_FAILED', 'sign_pending', 'in_error', 'signer_declined'],
  EXPIRED: ['ESIGN_EXPIRED', 'sign_pending', 'expired', 'session_expired'],
} as const
