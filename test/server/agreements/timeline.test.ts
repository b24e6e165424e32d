import { describe, expect, test } from 'bun:test'
import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import { getKysely, type Tables } from '../../../db/database'
import { testServer } from '../../support/server'
import { completeProfile, createDraft, signInUser, type TestUser } from '../../support/users'
import { signingProvider, signs, start } from './signing/provider'

const provider = signingProvider()
const server = testServer({ env: provider.env })

async function getTimeline(user: TestUser, agreementId: number) {
  const { body } = await user.call('GET', `/agreements/${agreementId}/timeline`)
  return body.data as { events: any[]; intact: boolean }
}

test('the timeline shows who did what, from the draft to the close-out', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  const path = `/agreements/${agreement.id}`
  await owner.call('PATCH', path, { rent_amount: 26000, late_fee: 500, pets_allowed: false })
  const first = await signs(provider, server.url, owner, agreement, owner)
  const {
    body: { data },
  } = await start(tenant, agreement, tenant)
  const request = provider.of(data.signature_id)
  await provider.webhook(
    server.url,
    provider.news('ESIGN_OTP_FAILED', request, { errCode: 'invaild_otp', signerStatus: 'in_progress' }),
  )
  await provider.webhook(
    server.url,
    provider.news('ESIGN_OTP_FAILED', request, {
      errCode: 'invaild_otp',
      signerStatus: 'in_progress',
      nonce: 2,
    }),
  )
  provider.ends(data.signature_id, 'declined')
  await provider.webhook(server.url, provider.news('ESIGN_FAILED', request, { errCode: 'signer_declined' }))
  const again = await signs(provider, server.url, tenant, agreement, tenant)
  await owner.call('POST', `${path}/terminate`, { reason: 'Sold' })
  await owner.call('POST', `${path}/complete`, {})

  const { events, intact } = await getTimeline(tenant, agreement.id)
  const ownSign = { signer_id: owner.id, signature_id: first }
  const snapshot = { snapshot_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }
  expect(intact).toBe(true)
  expect(events.map(({ type, actor_id, details }) => [type, actor_id, details])).toEqual([
    ['created', owner.id, {}],
    ['changed', owner.id, { fields: ['rent_amount', 'late_fee'] }],
    ['sent', owner.id, { ...ownSign, ...snapshot }],
    ['signed', owner.id, { ...ownSign, ...snapshot }],
    ['sent', tenant.id, { signer_id: tenant.id, signature_id: data.signature_id }],
    ['viewed', tenant.id, { signer_id: tenant.id, signature_id: data.signature_id }],
    [
      'declined',
      tenant.id,
      { signer_id: tenant.id, signature_id: data.signature_id, reason: 'signer_declined' },
    ],
    ['reissued', tenant.id, { signer_id: tenant.id, signature_id: again }],
    ['signed', tenant.id, { signer_id: tenant.id, signature_id: again, ...snapshot }],
    ['activated', null, {}],
    ['terminated', owner.id, { termination_date: expect.any(String), reason: 'Sold' }],
    ['completed', owner.id, {}],
  ])
  expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ hash }) => hash)).size).toBe(events.length)
  for (const { occurred_at, hash } of events)
    expect([occurred_at, hash]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
  expect(JSON.stringify(events)).not.toContain(tenant.phone)
})

test('the timeline shows cancelled and expired signatures, and a change that changes nothing', async () => {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  await owner.call('PATCH', `/agreements/${agreement.id}`, { rent_amount: agreement.rent_amount })
  const {
    body: { data },
  } = await start(owner, agreement, tenant)
  await owner.call('POST', `/agreements/${agreement.id}/signatures/${data.signature_id}/cancel`)
  const {
    body: { data: second },
  } = await start(owner, agreement, tenant)
  await provider.webhook(
    server.url,
    provider.news('ESIGN_EXPIRED', provider.ends(second.signature_id, 'expired')),
  )
  const { events, intact } = await getTimeline(owner, agreement.id)
  expect(events.map(({ type, actor_id }) => [type, actor_id])).toEqual([
    ['created', owner.id],
    ['changed', owner.id],
    ['sent', owner.id],
    ['cancelled', owner.id],
    ['reissued', owner.id],
    ['expired', null],
  ])
  expect([events[1].details, intact]).toEqual([{ fields: [] }, true])
})

test('before they have signed, the timeline names the landlord to the tenant, and not the tenant to the landlord', async () => {
  const [owner, tenant] = [await signInUser(server.url), await signInUser(server.url)]
  for (const [person, last_name] of [
    [owner, 'Rao'],
    [tenant, 'Iyer'],
  ] as const)
    await completeProfile(person, { first_name: 'Asha', last_name })
  const { agreement, path } = await createDraft(owner, [tenant])
  await tenant.post(`${path}/decline`)

  const getNames = async (reader: TestUser) =>
    (await getTimeline(reader, agreement.id)).events.map(({ actor_name }) => actor_name)

  expect(await getNames(tenant)).toEqual(['Asha Rao', 'Asha Iyer'])
  expect(await getNames(owner)).toEqual(['Asha Rao', null])
})

test('the timeline does not show that a cancelled request was opened', async () => {
  const [owner, tenant] = [await signInUser(server.url), await signInUser(server.url)]
  const { agreement, path } = await createDraft(owner, [tenant])
  const { data } = await start(owner, agreement, tenant)
  await owner.post(`${path}/signatures/${data.signature_id}/cancel`)

  const opened = { errCode: 'invaild_otp', signerStatus: 'in_progress' }
  const webhook = provider.news('ESIGN_OTP_FAILED', provider.of(data.signature_id), opened)
  expect((await provider.webhook(server.url, webhook)).status).toBe(200)

  const { events } = await getTimeline(owner, agreement.id)
  expect(events.map(({ type }) => type)).toEqual(['created', 'sent', 'cancelled'])
})

test('the timeline shows the request after one that the provider did not take as the first', async () => {
  const [owner, tenant] = [await signInUser(server.url), await signInUser(server.url)]
  const { agreement } = await createDraft(owner, [tenant])
  provider.replies.create = () => new Response(null, { status: 400 })
  expect((await start(owner, agreement, tenant)).status).toBe(503)
  delete provider.replies.create
  await start(owner, agreement, tenant)

  const { events } = await getTimeline(owner, agreement.id)
  expect(events.map(({ type }) => type)).toEqual(['created', 'sent'])
})

type TimelineFixture = {
  owner: TestUser
  id: number
  events: () => UpdateQueryBuilder<Tables, 'agreement_events', 'agreement_events', UpdateResult>
}

/** A draft with four events: one for its creation, three for its changes. */
async function createTimeline(): Promise<TimelineFixture> {
  const owner = await signInUser(server.url)
  const tenant = await signInUser(server.url)
  const { agreement } = await createDraft(owner, [tenant])
  for (const rent_amount of [1, 2, 3]) {
    await owner.call('PATCH', `/agreements/${agreement.id}`, { rent_amount })
  }
  return {
    owner,
    id: agreement.id as number,
    events: () =>
      getKysely(server.em()).updateTable('agreement_events').where('agreement_id', '=', agreement.id),
  }
}

function deleteEvent(agreementId: number, position: number) {
  return getKysely(server.em())
    .deleteFrom('agreement_events')
    .where('agreement_id', '=', agreementId)
    .where('position', '=', position)
    .execute()
}

describe('a timeline is not intact after', () => {
  const tamperings: Record<string, (timeline: TimelineFixture) => Promise<unknown>> = {
    'a changed time': ({ events }) =>
      events()
        .set({ occurred_at: new Date(0) })
        .where('position', '=', 2)
        .execute(),
    'a changed actor': ({ events }) => events().set({ actor_id: null }).where('position', '=', 2).execute(),
    'changed details': ({ events }) =>
      events()
        .set({ details: { fields: [] } as never })
        .where('position', '=', 3)
        .execute(),
    'a changed type': ({ events }) => events().set({ type: 'signed' }).where('position', '=', 4).execute(),
    'a removed event': ({ id }) => deleteEvent(id, 2),
    'a removed last event': ({ id }) => deleteEvent(id, 4),
    'a removed first event, with the others moved up': async ({ id, events }) => {
      await deleteEvent(id, 1)
      for (const position of [2, 3, 4])
        await events()
          .set({ position: position - 1 })
          .where('position', '=', position)
          .execute()
    },
    'an event taken from another agreement': async ({ id }) => {
      const other = await createTimeline()
      await deleteEvent(id, 2)
      await other.events().set({ agreement_id: id }).where('position', '=', 2).execute()
    },
  }
  test.each(Object.entries(tamperings))('%s', async (_title, tamper) => {
    const fixture = await createTimeline()
    expect((await getTimeline(fixture.owner, fixture.id)).intact).toBe(true)
    await tamper(fixture)
    expect((await getTimeline(fixture.owner, fixture.id)).intact).toBe(false)
  })
})
