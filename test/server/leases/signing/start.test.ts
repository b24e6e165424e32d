import { expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import type { TestResponse } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { start } from './provider'
import { signingFixtures, signingServer } from './signing-fixtures'

const HOUR_MS = 3_600_000
const ESIGN_REDIRECT_URL = 'https://app.example.com/signed?from=kiraya'

const time = clock()
const { provider, server, createSimpleDraft, findRecords, signsAt } = signingServer({
  overrides: { now: time.now },
})
const redirecting = testServer({ env: { ...provider.env, ESIGN_REDIRECT_URL } })
const seen = ({ status, body }: TestResponse) => [status, body]
const removeAccount = (userId: number) =>
  server.db.updateTable('users').set({ is_active: false }).where('id', '=', userId).execute()

test('the provider gets the document, the signer, the return address, the options and the three credentials', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft({
    document_url: 'https://example.com/wire.pdf',
  })
  await owner.post('/tenants', { phone_number: tenant.phone, first_name: 'Ravi', last_name: 'Iyer' })
  const signature_position = { page_number: 2, x: 10.5, y: 20, width: 100, height: 40 }
  const template_variables = { rent_amount: '25000', 'Name of tenant': 'Ravi' }
  const flexi_options = { template_id: 't-1', signature_position, template_variables }
  const { data } = await start(owner, agreement, tenant, { flexi_options })

  const [{ headers, body: sent }] = provider.creates('https://example.com/wire.pdf') as any
  const credentials = ['x-client-id', 'x-client-secret', 'x-product-instance-id']
  expect(credentials.map(name => headers.get(name))).toEqual(['client', 'hush', 'product'])
  expect(sent).toEqual({
    documentId: data.signature_id,
    documentUrl: 'https://example.com/wire.pdf',
    signer: { identifier: tenant.phone, displayName: 'Ravi Iyer' },
    redirectUrl: 'https://api.example.com/signed',
    flexiOptions: {
      templateId: 't-1',
      signaturePosition: { pageNumber: 2, x: 10.5, y: 20, width: 100, height: 40 },
      templateVariables: template_variables,
    },
  })
  const { id } = provider.of(data.signature_id)
  expect(await findRecords(agreement)).toMatchObject([
    { provider: 'setu', provider_request_id: id, provider_signature_id: `signer-${id}` },
  ])
  await signsAt(data.signature_id)
  const read = provider.calls.findLast(({ method }) => method === 'GET')!
  expect(credentials.map(name => read.headers.get(name))).toEqual(['client', 'hush', 'product'])
})

test('signers return to ESIGN_REDIRECT_URL', async () => {
  const { owner, tenant, agreement } = await signingFixtures(redirecting).createSimpleDraft()
  await start(owner, agreement, tenant)
  expect(provider.creates().at(-1)!.body.redirectUrl).toBe(ESIGN_REDIRECT_URL)
})

test('404: an unknown or inactive signer, before the caller’s rights are checked', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const refusal = [404, enveloped(404, 'Signer not found')]
  for (const caller of [owner, tenant])
    expect(seen(await start(caller, agreement, { id: 2_000_000_000 }))).toEqual(refusal)
  await removeAccount(tenant.id)
  expect(seen(await start(owner, agreement, tenant))).toEqual(refusal)
})

test('400: a tenant who has no account any more, before the provider is asked', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  await removeAccount(tenant.id)
  const before = provider.creates().length
  const { status, error } = await start(owner, agreement, owner)
  expect([status, error.reason]).toEqual([400, 'tenants_erased'])
  expect(provider.creates()).toHaveLength(before)
})

test('200: an overdue signature that the provider does not know is replaced', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const { data: first } = await start(owner, agreement, tenant)
  provider.kept.delete(provider.of(first.signature_id).id)
  time.advance(73 * HOUR_MS)
  const again = await start(owner, agreement, tenant)
  expect([again.status, again.data?.signature_id === first.signature_id]).toEqual([200, false])
})
