import { expect, test } from 'bun:test'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

// Which addresses are refused, and that they are never asked, is tested in providers/download.

const { provider, server, createSimpleDraft } = signingServer({
  constants: { DOCUMENT_CHECK: true, DOCUMENT_HOSTS: 'public' },
})

test('400: with DOCUMENT_HOSTS=public a document_url must be a public https address', async () => {
  const { owner, path } = await createSimpleDraft()
  for (const document_url of ['http://example.com/x.pdf', 'https://169.254.169.254/latest']) {
    const { status, error } = await owner.patch(path, { document_url })
    expect([document_url, status, error.details[0].property]).toEqual([document_url, 400, 'document_url'])
  }
})

test('400: a document that the check refuses is not sent, and the agreement stays a draft', async () => {
  const { tenant, agreement } = await createSimpleDraft()
  const document_url = 'https://10.0.0.1/lease.pdf'
  const agreements = server.db.updateTable('agreements')
  await agreements.set({ document_url }).where('id', '=', agreement.id).execute()

  const { status, error } = await start(tenant, agreement, tenant)

  const message = 'Correct document_url: A document must lie at a public host'
  expect([status, error?.message]).toEqual([400, message])
  expect((await tenant.get(`/agreements/${agreement.id}`)).data.status).toBe('DRAFT')
  expect(provider.creates(document_url)).toEqual([])
})
