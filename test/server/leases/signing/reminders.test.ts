import { expect, test } from 'bun:test'
import { nativeServer } from './native-fixtures'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

const signing = signingServer()
const { provider, createSimpleDraft, createManagedDraft, findRecords, tell, deliver, signs, createPending } =
  signing
const native = nativeServer()

const listReminders = async (agreement: { id: number }) =>
  (await findRecords(agreement)).map(({ status, next_reminder_at }) => [status, next_reminder_at !== null])

const expire = (signatureId: string) => tell('ESIGN_EXPIRED', provider.ends(signatureId, 'expired'))

test('an agreement that becomes active ends those of the manager, whose request has expired', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  const { data } = await start(owner, agreement, manager)
  await expire(data.signature_id)
  expect(await listReminders(agreement)).toEqual([['EXPIRED', true]])

  for (const person of [owner, tenant, second]) await signs(owner, agreement, person)

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

test('a page that is opened after its signature was cancelled does not count as viewed', async () => {
  const { owner, agreement, request, signature, cancel } = await createPending()
  await cancel()

  await tell('ESIGN_OTP_FAILED', request)

  expect((await signature()).status).toBe('expired')
  expect(await signing.listEntryTypes(owner, agreement)).not.toContain('viewed')
})

test('a webhook about the only signer of a request counts, whatever id it has for the signer', async () => {
  const { owner, agreement, request } = await createPending()
  const news = provider.news('ESIGN_OTP_FAILED', request)
  news.data.esign.signers[0]!.id = 'another id'

  expect((await deliver(news)).status).toBe(200)

  expect(await signing.listEntryTypes(owner, agreement)).toContain('viewed')
})
