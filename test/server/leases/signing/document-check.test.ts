import { expect, test } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
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

const development = signingServer()

test('400: a document above 10 MiB is refused without the check too, but need not be reachable', async () => {
  const url = serveUntilEnd(() => new Response(new Uint8Array(10 * 1024 * 1024 + 1)))
  const sign = async (document_url: string) => {
    const { tenant, agreement } = await development.createSimpleDraft({ document_url })
    const { status, error } = await start(tenant, agreement, tenant)
    return [status, error?.message]
  }

  const message = 'Correct document_url: A document must have at most 10 MiB'
  expect(await sign(`${url}/lease.pdf`)).toEqual([400, message])
  expect(await sign('http://127.0.0.1:1/lease.pdf')).toEqual([200, undefined])
})
