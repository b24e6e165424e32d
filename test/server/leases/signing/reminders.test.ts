import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { createPendingSignature } from './webhooks/pending-signature'
import { nativeServer } from './native-fixtures'
import { signingProvider, signs, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const server = testServer({ env: provider.env })
const native = nativeServer()
const { createSimpleDraft, createManagedDraft, findRecords } = signingFixtures(server)

const listReminders = async (agreement: { id: number }) =>
  (await findRecords(agreement)).map(({ status, next_reminder_at }) => [status, next_reminder_at !== null])

async function expire(signatureId: string) {
  const expired = provider.ends(signatureId, 'expired')
  await provider.webhook(server.url, provider.news('ESIGN_EXPIRED', expired))
}

test('an agreement that becomes active ends those of the manager, whose request has expired', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  const { data } = await start(owner, agreement, manager)
  await expire(data.signature_id)
  expect(await listReminders(agreement)).toEqual([['EXPIRED', true]])

  for (const person of [owner, tenant, second]) await signs(provider, server.url, owner, agreement, person)

  const ended = (await findRecords(agreement)).map(({ status, next_reminder_at }) => [
    status,
    next_reminder_at,
  ])
  const signed = ['SIGNED', null]
  expect(ended).toEqual([['EXPIRED', null], signed, signed, signed])
})

test('a request that follows an expired one takes over its reminders', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const { data } = await start(owner, agreement, tenant)
  await expire(data.signature_id)
  await start(owner, agreement, tenant)
  expect(await listReminders(agreement)).toEqual([
    ['EXPIRED', false],
    ['PENDING', true],
  ])
})

test.each([false, true])(
  'another party of a shared request is reminded, unless the parties sign in an order: %p',
  async isOrdered => {
    const { owner, tenant, agreement, path } = await native.createNativeDraft()
    if (isOrdered) await owner.patch(path, { signing_order: [owner.id, tenant.id] })
    await start(owner, agreement, owner)
    const records = await native.findRecords(agreement)
    const reminded = records.filter(({ next_reminder_at }) => next_reminder_at !== null)
    const expected = isOrdered ? [owner.id] : [owner.id, tenant.id]
    expect(reminded.map(({ signer_id }) => signer_id)).toEqual(expected)
  },
)

const listEntries = async ({ owner, agreement }: Awaited<ReturnType<typeof createPendingSignature>>) => {
  const { data } = await owner.get(`/agreements/${agreement.id}/timeline`)
  return data.entries.map(({ type }: { type: string }) => type) as string[]
}

test('a page that is opened after its signature was cancelled does not count as viewed', async () => {
  const pending = await createPendingSignature(provider, server)
  const { owner, agreement, id, request, signature } = pending
  await owner.post(`/agreements/${agreement.id}/signatures/${id}/cancel`)

  await provider.webhook(server.url, provider.news('ESIGN_OTP_FAILED', request))

  expect((await signature()).status).toBe('expired')
  expect(await listEntries(pending)).not.toContain('viewed')
})

test('a webhook about the only signer of a request counts, whatever id it has for the signer', async () => {
  const pending = await createPendingSignature(provider, server)
  const news = provider.news('ESIGN_OTP_FAILED', pending.request)
  news.data.esign.signers[0]!.id = 'another id'

  expect((await provider.webhook(server.url, news)).status).toBe(200)

  expect(await listEntries(pending)).toContain('viewed')
})
