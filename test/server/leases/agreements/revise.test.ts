import { expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import { start } from '../signing/provider'
import { signingServer } from '../signing/signing-fixtures'

const { provider, server, createSimpleDraft, signs, getTimeline, getStatus } = signingServer()

const createFixture = () => createSimpleDraft({ additional_policies: 'No drilling' })

test('201: a revision withdraws the agreement, cancels open signatures and creates a linked draft with the changes', async () => {
  const { owner, tenant, agreement, path } = await createFixture()
  await owner.patch(path, { signing_order: [owner.id] })
  const { data: before } = await owner.get(path)
  await signs(owner, agreement, owner)
  const { data: open } = await start(owner, agreement, tenant)
  const { status, data: next } = await owner.post(`${path}/revise`, { rent_amount: 27000 })
  const own = ['id', 'agreement_id', 'agreement_number', 'created_at', 'updated_at']
  const terms = Object.fromEntries(Object.entries(before).filter(([name]) => !own.includes(name)))
  expect([status, next]).toEqual([
    201,
    expect.objectContaining({
      ...terms,
      status: 'DRAFT',
      rent_amount: 27000,
      revises_agreement_id: agreement.agreement_id,
    }),
  ])
  expect(next.agreement_number).not.toBe(agreement.agreement_number)
  expect((await tenant.get(path)).data).toMatchObject({
    status: 'TERMINATED',
    termination_reason: 'Withdrawn for a new version',
    rent_amount: agreement.rent_amount,
  })
  expect(provider.of(open.signature_id).cancelled).toBe(true)
  const { entries: withdrawn } = await getTimeline(owner, agreement)
  expect(withdrawn.map(({ type }) => type)).toEqual([
    'created',
    'changed',
    'sent',
    'signed',
    'sent',
    'revised',
  ])
  expect(withdrawn.at(-1)!.details).toEqual({ agreement_id: next.agreement_id })
  const fields = ['agreement_number', 'rent_amount']
  expect((await getTimeline(owner, next)).entries).toMatchObject([
    { type: 'created', details: { revises_agreement_id: agreement.agreement_id, fields } },
  ])
  for (const person of [owner, tenant]) await signs(owner, next, person)
  expect(await getStatus(owner, next)).toBe('ACTIVE')
})

test('400: an invalid change leaves the agreement as it is', async () => {
  const { owner, tenant, agreement, path } = await createFixture()
  const { data: open } = await start(owner, agreement, tenant)
  for (const change of [{ rent_amount: 0 }, { tenant_ids: [owner.id] }, { signing_order: [2_147_483_647] }])
    expect((await owner.post(`${path}/revise`, change)).status).toBe(400)
  expect((await owner.get(path)).data.status).toBe('PENDING')
  expect(provider.of(open.signature_id).cancelled).toBe(false)
})

test('of two revisions at once only one revises', async () => {
  const { owner, tenant, agreement, path } = await createFixture()
  await start(owner, agreement, tenant)
  const responses = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => Promise.all([owner.post(`${path}/revise`, {}), owner.post(`${path}/revise`, {})]),
    waitingCount: 2,
  })
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 403])
})

test('the new version of a next term renews the same lease', async () => {
  const { owner, tenant, agreement } = await createFixture()
  for (const person of [owner, tenant]) await signs(owner, agreement, person)
  const { data: renewal } = await owner.post(`/agreements/${agreement.id}/renew`, {})
  await start(owner, renewal, tenant)

  const { data: next } = await owner.post(`/agreements/${renewal.id}/revise`, {})

  expect(next).toMatchObject({
    revises_agreement_id: renewal.agreement_id,
    renews_agreement_id: agreement.agreement_id,
  })
})
