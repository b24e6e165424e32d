import { expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { signingProvider, signs, signsAt, start } from './signing/provider'

const provider = signingProvider()
const server = testServer({ env: provider.env })

async function getTimeline(user: TestUser, agreementId: number) {
  const { body } = await user.call('GET', `/agreements/${agreementId}/timeline`)
  return body.data as { events: any[]; intact: boolean }
}

async function getEventTypes(user: TestUser, agreementId: number) {
  const { events } = await getTimeline(user, agreementId)
  return events.map(({ type }) => type)
}

test('POST /agreements/:id/revise, 201: withdraws the agreement, cancels open signatures and creates a linked draft with the changes', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant], {
    additional_policies: 'No drilling',
    signing_order: [owner.id],
  })
  await signs(provider, server.url, owner, agreement, owner)
  const {
    body: { data: open },
  } = await start(owner, agreement, tenant)
  const {
    status,
    body: { data: next },
  } = await owner.call('POST', `/agreements/${agreement.id}/revise`, { rent_amount: 27000 })
  const own = ['id', 'agreement_id', 'agreement_number', 'created_at', 'updated_at']
  const terms = Object.fromEntries(Object.entries(agreement).filter(([name]) => !own.includes(name)))
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
  expect((await tenant.call('GET', `/agreements/${agreement.id}`)).body.data).toMatchObject({
    status: 'TERMINATED',
    termination_reason: 'Withdrawn for a new version',
    rent_amount: agreement.rent_amount,
  })
  expect(provider.of(open.signature_id).cancelled).toBe(true)
  expect(await getEventTypes(owner, agreement.id)).toEqual(['created', 'sent', 'signed', 'sent', 'revised'])
  const { events: withdrawn } = await getTimeline(owner, agreement.id)
  expect(withdrawn.at(-1)!.details).toEqual({ agreement_id: next.agreement_id })
  const { events } = await getTimeline(owner, next.id)
  expect(events.map(({ type, details }) => [type, details])).toEqual([
    [
      'created',
      { revises_agreement_id: agreement.agreement_id, fields: ['agreement_number', 'rent_amount'] },
    ],
  ])
  for (const person of [owner, tenant]) await signs(provider, server.url, owner, next, person)
  expect((await owner.call('GET', `/agreements/${next.id}`)).body.data.status).toBe('ACTIVE')
})

test('POST /agreements/:id/revise, a late signature of the withdrawn agreement changes nothing', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  await signs(provider, server.url, owner, agreement, owner)
  const {
    body: { data: open },
  } = await start(owner, agreement, tenant)
  await owner.call('POST', `/agreements/${agreement.id}/revise`, {})
  provider.becomes(open.signature_id, { cancelled: false })
  await signsAt(provider, server.url, open.signature_id)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('TERMINATED')
})

test('POST /agreements/:id/revise, 400: an invalid change leaves the agreement as it is', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  const {
    body: { data: open },
  } = await start(owner, agreement, tenant)
  for (const change of [{ rent_amount: 0 }, { tenant_ids: [owner.id] }, { signing_order: [2_147_483_647] }])
    expect((await owner.call('POST', `/agreements/${agreement.id}/revise`, change)).status).toBe(400)
  expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('PENDING')
  expect(provider.of(open.signature_id).cancelled).toBe(false)
})

test('POST /agreements/:id/revise, 403: an agreement that is not PENDING cannot be revised', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  const revised = () =>
    owner.call('POST', `/agreements/${agreement.id}/revise`, {}).then(({ status }) => status)
  expect(await revised()).toBe(403)
  for (const person of [owner, tenant]) await signs(provider, server.url, owner, agreement, person)
  expect(await revised()).toBe(403)
  await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
  expect(await revised()).toBe(403)
})

test('POST /agreements/:id/revise, 403: of eight concurrent requests only one revises', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  await start(owner, agreement, tenant)
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => owner.call('POST', `/agreements/${agreement.id}/revise`, {})),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(403)])
})

test('POST /agreements/:id/revise, the new version of a next term renews the same lease', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  for (const person of [owner, tenant]) await signs(provider, server.url, owner, agreement, person)
  const { data: renewal } = await owner.post(`/agreements/${agreement.id}/renew`, {})
  await start(owner, renewal, tenant)

  const { data: next } = await owner.post(`/agreements/${renewal.id}/revise`, {})

  expect(next).toMatchObject({
    revises_agreement_id: renewal.agreement_id,
    renews_agreement_id: agreement.agreement_id,
  })
})
