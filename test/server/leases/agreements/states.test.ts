import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { AgreementStatus } from '@kiraya/sdk/contract'
import { canTransition, getSignerRole, haveAllSigned, supersedes } from '../../../../server/leases/states'
import { clock, testServer } from '../../../support/server'
import { createDraft, createPendingAgreement, signInUser, type TestUser } from '../../../support/users'
import { broken, enveloped } from '../../http/forms'

const STATUSES = ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'] as const

const BEFORE_MIDNIGHT = new Date('2026-06-15T18:29:59Z')
const time = clock(BEFORE_MIDNIGHT)
const server = testServer({ overrides: { now: time.now } })
let owner: TestUser
let tenant: TestUser
beforeAll(async () => {
  owner = await signInUser(server)
  tenant = await signInUser(server)
})

async function createInStatus(status: AgreementStatus) {
  const draft = await createDraft(owner, [tenant], { agreement_start_date: '2026-01-01' })
  const signed_date = status === 'DRAFT' || status === 'PENDING' ? null : '2026-01-01'
  await server.db
    .updateTable('agreements')
    .set({ status, signed_date })
    .where('id', '=', draft.agreement.id)
    .execute()
  return { ...draft, get: async () => (await owner.get(draft.path)).data }
}

test('an agreement becomes PENDING, ACTIVE, TERMINATED and COMPLETED in this order alone; a draft on paper is ACTIVE at once, and a pending one can end', () => {
  const pairs = STATUSES.flatMap(from => STATUSES.map(to => [from, to] as const))
  const legal = pairs.filter(([from, to]) => canTransition(from, to)).map(pair => pair.join(' '))
  expect(legal).toEqual([
    'DRAFT PENDING',
    'DRAFT ACTIVE',
    'PENDING ACTIVE',
    'PENDING TERMINATED',
    'ACTIVE TERMINATED',
    'TERMINATED COMPLETED',
  ])
})

test('of two reports the higher wins: SIGNED, DECLINED, EXPIRED, PENDING', () => {
  const order = ['PENDING', 'EXPIRED', 'DECLINED', 'SIGNED'] as const
  for (const [above, reported] of order.entries())
    for (const [below, known] of order.entries())
      expect([reported, known, supersedes(reported, known)]).toEqual([reported, known, above > below])
})

const PARTIES = { landlord_id: 1, manager_id: 2, tenant_ids: [3, 4] }

test('parties have roles', () => {
  const roles = [1, 2, 3, 4, 5].map(id => getSignerRole(PARTIES, id))
  expect(roles).toEqual(['LANDLORD', 'MANAGER', 'TENANT', 'TENANT', undefined])
})

test.each<[signed: number[], all: boolean]>([
  [[], false],
  [[1], false],
  [[3, 4], false],
  [[1, 3], false],
  [[1, 2], false],
  [[1, 3, 4], true],
  [[2, 3, 4], true],
  [[1, 2, 3, 4], true],
])('all have signed when every tenant and the landlord’s side have: %p, %p', (signed, all) => {
  expect(haveAllSigned(PARTIES, new Set(signed))).toBe(all)
  if (signed.includes(1)) return
  expect(haveAllSigned({ ...PARTIES, manager_id: null }, new Set(signed))).toBe(false)
})

type Action = {
  method?: string
  suffix?: string
  body?: () => object
  from: readonly AgreementStatus[]
  /** 201 if the action creates an agreement. */
  success?: number
  end?: AgreementStatus
}

const actions: Record<string, Action> = {
  change: { method: 'PATCH', body: () => ({ rent_amount: 1 }), from: ['DRAFT'] },
  'change nothing': { method: 'PATCH', from: ['DRAFT'] },
  delete: { method: 'DELETE', from: ['DRAFT'] },
  sign: {
    suffix: '/sign',
    body: () => ({ signer_id: owner.id }),
    from: ['DRAFT', 'PENDING'],
    end: 'PENDING',
  },
  decline: { suffix: '/decline', from: ['DRAFT', 'PENDING'] },
  revise: { suffix: '/revise', from: ['PENDING'], success: 201, end: 'TERMINATED' },
  renew: { suffix: '/renew', from: ['ACTIVE', 'TERMINATED'], success: 201 },
  terminate: { suffix: '/terminate', from: ['PENDING', 'ACTIVE'], end: 'TERMINATED' },
  complete: { suffix: '/complete', from: ['TERMINATED'], end: 'COMPLETED' },
}

const cases = Object.keys(actions).flatMap(name => STATUSES.map(status => [name, status] as const))
test.each(cases)('%s in %s: as the table of states says', async (name, status) => {
  const { method = 'POST', suffix = '', body = () => ({}), from, success = 200, end } = actions[name]!
  const { path, get } = await createInStatus(status)
  const before = await get()
  const act = (user: TestUser) => user.call(method, `${path}${suffix}`, body())

  if (!from.includes(status)) {
    for (const user of [owner, tenant]) {
      const refused = await act(user)
      expect([refused.status, refused.body]).toEqual([403, enveloped(403)])
    }
    expect(await get()).toEqual(before)
    return
  }

  if (name !== 'decline') expect((await act(tenant)).status).toBe(403)
  expect(await get()).toEqual(before)
  expect((await act(owner)).status).toBe(success)
  expect((await get())?.status).toBe(name === 'delete' ? undefined : (end ?? status))
})

describe('a termination', () => {
  const terminate = (path: string, body?: unknown) => owner.call('POST', `${path}/terminate`, body)

  test.each<[string, unknown]>([
    ['without a body', undefined],
    ['with an empty body', {}],
    ['with nulls', { termination_date: null, reason: null }],
  ])('200: is dated today in India by default: %s', async (_, body) => {
    const { path } = await createInStatus('ACTIVE')
    expect((await terminate(path, body)).data).toMatchObject({
      status: 'TERMINATED',
      termination_date: '2026-06-15',
      termination_reason: null,
    })
  })

  test.each([
    ['2026-06-16', 400],
    ['2026-06-15', 200],
    ['2026-01-01', 200],
    ['2025-12-31', 400],
  ])('can be dated from the start of the agreement to today: %s, %d', async (termination_date, status) => {
    const { path, get } = await createInStatus('ACTIVE')
    const ended = await terminate(path, { termination_date, reason: 'Moved out' })
    const state = { status: 'TERMINATED', termination_date, termination_reason: 'Moved out' }
    if (status === 200) expect(ended.data).toMatchObject(state)
    else expect([ended.status, ended.body]).toEqual([400, broken('termination_date')])
    expect((await get()).status).toBe(status === 200 ? 'TERMINATED' : 'ACTIVE')
  })

  test('200: of a lease that has not begun is dated today; no other date is possible', async () => {
    const { path } = await createPendingAgreement(owner, [tenant])
    const refused = await terminate(path, { termination_date: '2026-06-14' })
    expect([refused.status, refused.body]).toEqual([400, broken('termination_date')])
    expect((await terminate(path)).data.termination_date).toBe('2026-06-15')
  })

  test('200: can be dated the next day once it has begun in India', async () => {
    const { path } = await createInStatus('ACTIVE')
    time.advance(1000)
    expect((await terminate(path, { termination_date: '2026-06-16' })).status).toBe(200)
  })
  afterEach(() => time.set(BEFORE_MIDNIGHT))
})
