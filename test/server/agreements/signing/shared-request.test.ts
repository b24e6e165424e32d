import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { testServer } from '../../../support/server'
import { nativeServer } from './native-fixtures'
import { signingProvider, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const native = nativeServer()
const provider = signingProvider()
const ESIGN_REDIRECT_URL = 'https://app.example.com/signed?from=kiraya'
const redirecting = testServer({ env: { ...provider.env, ESIGN_REDIRECT_URL } })
const { createSimpleDraft } = signingFixtures(redirecting)

const findReminder = async (agreement: { id: number }, signer: { id: number }) => {
  const signature = await getKysely(native.server.em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .where('signer_id', '=', signer.id)
    .select('next_reminder_at')
    .executeTakeFirstOrThrow()
  return signature.next_reminder_at
}

test('another party of a shared request is reminded, unless the parties sign in an order', async () => {
  const { owner, tenant, agreement } = await native.createNativeDraft()
  await start(owner, agreement, owner)
  expect(await findReminder(agreement, tenant)).not.toBeNull()

  const ordered = await native.createNativeDraft()
  const signing_order = [ordered.owner.id, ordered.tenant.id]
  await ordered.owner.patch(ordered.path, { signing_order })
  await start(ordered.owner, ordered.agreement, ordered.owner)
  expect(await findReminder(ordered.agreement, ordered.owner)).not.toBeNull()
  expect(await findReminder(ordered.agreement, ordered.tenant)).toBeNull()
})

test('signers return to ESIGN_REDIRECT_URL', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  await start(owner, agreement, tenant)
  expect(provider.creates().at(-1)!.body.redirectUrl).toBe(ESIGN_REDIRECT_URL)
})
