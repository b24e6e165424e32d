import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { testServer } from '../../../support/server'
import { agreementTerms, createUnit, signInUser } from '../../../support/users'
import { createPendingSignature } from '../../webhooks/pending-signature'
import { signingProvider, signs, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const server = testServer({ env: provider.env })
const { createSimpleDraft } = signingFixtures(server)

const listSignatures = (agreementId: number) =>
  getKysely(server.em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .orderBy('id')
    .select(['status', 'next_reminder_at'])
    .execute()

test('a signature and a refusal end the reminders of their party', async () => {
  const { id, agreement, request } = await createPendingSignature(provider, server)
  const [signed, asked] = await listSignatures(agreement.id)
  expect(signed).toEqual({ status: 'SIGNED', next_reminder_at: null })
  expect(asked).toEqual({ status: 'PENDING', next_reminder_at: expect.any(String) })

  provider.ends(id, 'declined')
  await provider.webhook(server.url, provider.news('ESIGN_FAILED', request, { errCode: 'signer_declined' }))

  expect((await listSignatures(agreement.id))[1]).toEqual({ status: 'DECLINED', next_reminder_at: null })
})

test('an agreement that becomes active ends those of the manager, whose expired request has no document', async () => {
  const [owner, manager] = [await signInUser(server), await signInUser(server)]
  const tenant = await signInUser(server)
  const { unit } = await createUnit(owner, { managed_by_id: manager.id })
  const { data: agreement } = await owner.post('/agreements', agreementTerms(unit.id, [tenant.id]))
  const { data } = await start(owner, agreement, manager)
  provider.ends(data.signature_id, 'expired')
  await provider.webhook(server.url, provider.news('ESIGN_EXPIRED', provider.of(data.signature_id)))
  const expired = { status: 'EXPIRED', next_reminder_at: expect.any(String) }
  expect(await listSignatures(agreement.id)).toEqual([expired as never])

  for (const person of [owner, tenant]) await signs(provider, server.url, owner, agreement, person)

  const ended = ['EXPIRED', 'SIGNED', 'SIGNED'].map(status => ({ status, next_reminder_at: null }))
  expect(await listSignatures(agreement.id)).toEqual(ended as never)
  const documents = getKysely(server.em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreement.id)
    .where('document_due_at', 'is not', null)
    .select('status')
  expect(await documents.execute()).toEqual([{ status: 'SIGNED' }, { status: 'SIGNED' }])
})

test('a request that follows an expired one takes over its reminders', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const { data } = await start(owner, agreement, tenant)
  provider.ends(data.signature_id, 'expired')
  await provider.webhook(server.url, provider.news('ESIGN_EXPIRED', provider.of(data.signature_id)))

  await start(owner, agreement, tenant)

  expect(await listSignatures(agreement.id)).toEqual([
    { status: 'EXPIRED', next_reminder_at: null },
    { status: 'PENDING', next_reminder_at: expect.any(String) as never },
  ])
})
