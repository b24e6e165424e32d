import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { agreementTerms, type TestResponse } from '../../../support/users'
import { clock, testServer } from '../../../support/server'
import { enveloped } from '../../http/forms'
import { signingProvider, signs, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const time = clock()
const server = testServer({ env: provider.env, overrides: { now: time.now }, poolSize: 20 })
const { createUsers, createSimpleDraft, createManagedDraft, getSignatures, getStatus } =
  signingFixtures(server)
const HOUR = 3_600_000
const seen = ({ status, body }: TestResponse) => [status, body]

test('every tenant and one of the landlord’s side have to sign, in any order', async () => {
  const orders: ('owner' | 'manager' | 'tenant' | 'second')[][] = [
    ['owner', 'tenant', 'second'],
    ['tenant', 'second', 'owner'],
    ['manager', 'second', 'tenant'],
    ['second', 'manager', 'tenant'],
    ['tenant', 'second', 'manager'],
    ['owner', 'manager', 'tenant', 'second'],
  ]
  await Promise.all(
    orders.map(async order => {
      const parties = await createManagedDraft()
      const { owner, agreement } = parties
      for (const [index, name] of order.entries()) {
        expect(await getSignatures(owner, agreement)).toMatchObject({ allSigned: false })
        await signs(provider, server.url, owner, agreement, parties[name])
        const last = index === order.length - 1
        expect([order, index, await getStatus(owner, agreement)]).toEqual([
          order,
          index,
          last ? 'ACTIVE' : 'PENDING',
        ])
      }
      expect((await getSignatures(owner, agreement)).allSigned).toBe(true)
    }),
  )
})

test('an agreement stays PENDING when all signers who were asked have signed, but others are missing', async () => {
  const { owner, tenant, second, agreement } = await createManagedDraft()
  for (const each of [tenant, second]) await signs(provider, server.url, owner, agreement, each)
  expect(await getSignatures(owner, agreement)).toMatchObject({
    allSigned: false,
    signatures: [{ status: 'signed' }, { status: 'signed' }],
  })
  expect(await getStatus(owner, agreement)).toBe('PENDING')
})

test('the unneeded signature of the landlord’s side expires and is cancelled at the provider', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  const {
    body: { data: spare },
  } = await start(owner, agreement, owner)
  for (const each of [manager, tenant, second]) await signs(provider, server.url, owner, agreement, each)
  expect(await getSignatures(tenant, agreement)).toMatchObject({
    allSigned: true,
    signatures: [
      { signer_role: 'landlord', status: 'expired' },
      { signer_role: 'manager', status: 'signed' },
      { signer_role: 'tenant' },
      { signer_role: 'tenant' },
    ],
  })
  expect(provider.of(spare.signature_id).cancelled).toBe(true)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data).toMatchObject({
    status: 'ACTIVE',
    signed_date: new Date(time.now().getTime() + 5.5 * HOUR).toISOString().slice(0, 10),
  })
})

test('a manager who is replaced after the first signing stays a party; 403: the new one is none', async () => {
  const { owner, manager, tenant, second, unit, property, agreement } = await createManagedDraft()
  const [later] = await createUsers(1)
  await start(owner, agreement, tenant)
  await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: later.id })
  expect((await start(owner, agreement, later)).status).toBe(403)
  expect((await start(manager, agreement, manager)).status).toBe(200)
  for (const each of [manager, tenant, second]) await signs(provider, server.url, later, agreement, each)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
})

test('200: until the first signing the current manager of the unit is a party', async () => {
  const { owner, manager, unit, property, agreement } = await createManagedDraft()
  const [later] = await createUsers(1)
  await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: later.id })
  expect((await start(owner, agreement, manager)).status).toBe(403)
  expect((await start(owner, agreement, later)).status).toBe(200)
})

test('a tenant whom an earlier version made the manager does not sign for both sides', async () => {
  const { owner, tenant, second, unit, agreement } = await createManagedDraft()
  await getKysely(server.em())
    .updateTable('property_units')
    .set({ managed_by_id: tenant.id })
    .where('id', '=', unit.id)
    .execute()
  for (const each of [tenant, second]) await signs(provider, server.url, owner, agreement, each)
  expect(await getStatus(owner, agreement)).toBe('PENDING')
  expect(
    (await getSignatures(owner, agreement)).signatures.map(
      ({ signer_role }: { signer_role: string }) => signer_role,
    ),
  ).toEqual(['tenant', 'tenant'])
  await signs(provider, server.url, owner, agreement, owner)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
})

const dates = [
  ['2026-12-01', 11, '2026-12-01', 11, true],
  ['2026-12-01', 11, '2027-10-31', 1, true],
  ['2026-12-01', 11, '2027-11-01', 11, false],
  ['2026-12-01', 11, '2026-01-01', 11, false],
  ['2026-12-01', 11, '2026-01-02', 11, true],
  ['2026-12-01', 1, '2026-01-01', 600, true],
] as const
for (const [from, months, again, moreMonths, overlap] of dates) {
  test(`${overlap ? '400' : '200'}: a unit has an agreement from ${from} for ${months} months; another one from ${again} for ${moreMonths} months is signed`, async () => {
    const { owner, tenant, unit, agreement } = await createSimpleDraft({
      agreement_start_date: from,
      tenure_in_months: months,
    })
    const {
      body: { data: other },
    } = await owner.call(
      'POST',
      '/agreements',
      agreementTerms(unit.id, [tenant.id], { agreement_start_date: again, tenure_in_months: moreMonths }),
    )
    expect((await start(owner, agreement, tenant)).status).toBe(200)
    const second = await start(owner, other, tenant)
    expect(overlap ? seen(second) : second.status).toEqual(overlap ? [400, enveloped(400)] : 200)
    expect(await getStatus(owner, other)).toBe(overlap ? 'DRAFT' : 'PENDING')
    await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
    expect((await start(owner, other, tenant)).status).toBe(200)
  })
}

test('terminating cancels the open requests and keeps the signed ones', async () => {
  const { owner, tenant, second, agreement } = await createManagedDraft()
  const signed = await signs(provider, server.url, owner, agreement, tenant)
  const {
    body: { data: open },
  } = await start(owner, agreement, second)
  expect(
    (await owner.call('POST', `/agreements/${agreement.id}/terminate`, { reason: 'A better tenant' })).body
      .data,
  ).toMatchObject({ status: 'TERMINATED', termination_reason: 'A better tenant' })
  expect([provider.of(signed).cancelled, provider.of(open.signature_id).cancelled]).toEqual([false, true])
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
    { status: 'signed' },
    { status: 'expired' },
  ])
})

test('200: terminating succeeds when the provider cannot be reached', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  await start(owner, agreement, tenant)
  provider.replies.cancel = () => new Response(null, { status: 500 })
  expect((await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})).status).toBe(200)
  expect(await getStatus(owner, agreement)).toBe('TERMINATED')
})
