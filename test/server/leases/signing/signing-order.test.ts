import { expect, test } from 'bun:test'
import type { Agreement } from '../../../../db/entities'
import type { LockedAgreement } from '../../../../server/leases/access'
import { getRemainingSignerIds, requireTurn } from '../../../../server/leases/signing/parties'
import { signInUser, type TestUser } from '../../../support/users'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

const { server, createSimpleDraft, signs } = signingServer()

test('a party signs after the parties before it in signing_order; a party that is not listed signs at any time', async () => {
  const { owner, tenants, agreement, path } = await createSimpleDraft({ tenants: 3 })
  const [second, first, free] = tenants as [TestUser, TestUser, TestUser]
  const signing_order = [first.id, second.id, owner.id]
  expect((await owner.patch(path, { signing_order })).data.signing_order).toEqual(signing_order)

  const refused = await start(owner, agreement, second)
  expect([refused.status, refused.error.message]).toEqual([
    400,
    `It is not this signer's turn: by signing_order ${first.id} signs before`,
  ])
  for (const party of [free, first, second, owner]) await signs(owner, agreement, party)
  expect((await owner.get(path)).data.status).toBe('ACTIVE')
})

test.each([
  ['a user who is no party', (owner: TestUser) => [owner.id, 2_147_483_647]],
  ['no party', () => []],
])('400: signing_order contains %s', async (_, order) => {
  const { owner, path } = await createSimpleDraft()
  const { status, error } = await owner.patch(path, { signing_order: order(owner) })
  expect([status, error.details[0].property]).toEqual([400, 'signing_order'])
})

test('400: a tenant in signing_order cannot be removed from the agreement alone', async () => {
  const { owner, tenant, path } = await createSimpleDraft()
  const other = await signInUser(server)
  await owner.patch(path, { signing_order: [tenant.id] })
  expect((await owner.patch(path, { tenant_ids: [other.id] })).status).toBe(400)
  const change = { tenant_ids: [other.id], signing_order: null }
  expect((await owner.patch(path, change)).data).toMatchObject(change)
})

const [LANDLORD, MANAGER, FIRST, SECOND] = [1, 2, 3, 4]

const lock = (signing_order: number[] | null): LockedAgreement => ({
  agreement: { status: 'PENDING', landlord_id: LANDLORD, manager_id: MANAGER, signing_order } as Agreement,
  unit: { id: 9, landlord_id: LANDLORD, managed_by_id: MANAGER, is_active: true },
  tenantIds: [FIRST, SECOND],
})

test.each<
  [
    what: string,
    order: number[] | null,
    signed: number[],
    role: 'LANDLORD' | 'MANAGER' | 'TENANT',
    remaining: number[],
  ]
>([
  ['without an order the landlord is the first', null, [], 'LANDLORD', [LANDLORD, FIRST, SECOND]],
  ['a tenant asks the landlord too', null, [FIRST], 'TENANT', [LANDLORD, SECOND]],
  ['a manager takes the landlord’s place', null, [], 'MANAGER', [MANAGER, FIRST, SECOND]],
  ['the order comes first, then the others', [SECOND], [], 'LANDLORD', [SECOND, LANDLORD, FIRST]],
  [
    'of one side the order names both, and one is asked',
    [MANAGER, LANDLORD, FIRST],
    [],
    'LANDLORD',
    [LANDLORD, FIRST, SECOND],
  ],
  ['one signature suffices for the landlord’s side', [LANDLORD], [MANAGER], 'TENANT', [FIRST, SECOND]],
  ['all have signed', [FIRST], [FIRST, SECOND, LANDLORD], 'TENANT', []],
])('%s', (_, order, signed, role, remaining) => {
  expect(getRemainingSignerIds(lock(order), new Set(signed), role)).toEqual(remaining)
})

test.each<
  [what: string, order: number[] | null, signed: number[], signer: number, awaited: number | undefined]
>([
  ['no order keeps anyone waiting', null, [], SECOND, undefined],
  ['a tenant waits for an earlier tenant', [FIRST, SECOND], [], SECOND, FIRST],
  ['who has signed is not awaited', [FIRST, SECOND], [FIRST], SECOND, undefined],
  ['a tenant waits for the landlord’s side', [MANAGER, FIRST], [], FIRST, MANAGER],
  ['of which one suffices', [MANAGER, FIRST], [LANDLORD], FIRST, undefined],
  ['landlord and manager do not wait for each other', [MANAGER, LANDLORD], [], LANDLORD, undefined],
  ['who is not in the order waits for none', [FIRST], [], SECOND, undefined],
])('%s', (_, order, signed, signer, awaited) => {
  const check = () => requireTurn(lock(order), new Set(signed), signer)
  if (awaited === undefined) expect(check).not.toThrow()
  else
    expect(check).toThrow(
      expect.objectContaining({ reason: 'not_your_turn', message: expect.stringContaining(`${awaited}`) }),
    )
})
