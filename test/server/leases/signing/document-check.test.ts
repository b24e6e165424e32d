import { afterAll, expect, test } from 'bun:test'
import { downloadPdf, type Network } from '../../../../server/providers/download'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

/** Hosts of these tests: one counts as public, the other as private. */
const [PUBLIC, PRIVATE] = ['127.0.0.1', '127.0.0.2']
const privateRequests: string[] = []
const replies: Record<string, () => Response> = {
  '/lease.pdf': () => new Response('%PDF-1.7 a lease'),
  '/to-address': () => Response.redirect(toUrl('/x', PRIVATE), 302),
  '/to-name': () => Response.redirect(toUrl('/x', 'private.example.com'), 307),
  '/to-unknown': () => Response.redirect(toUrl('/x', 'unknown.example.com'), 302),
}
const respond = ({ url }: Request) => replies[new URL(url).pathname]?.() ?? new Response('x', { status: 404 })
const documents = Bun.serve({ port: 0, hostname: PUBLIC, fetch: respond })
const internal = Bun.serve({
  port: documents.port!,
  hostname: PRIVATE,
  fetch: ({ url }) => new Response(`%PDF-1.7 request ${privateRequests.push(url)}`),
})
afterAll(() => Promise.all([documents.stop(true), internal.stop(true)]))

const toUrl = (path: string, host = PUBLIC) => `http://${host}:${documents.port}${path}`
const network: Network = {
  resolveHost: async host => {
    if (host.startsWith('unknown')) throw Object.assign(new Error(), { name: 'DNSException' })
    return [{ address: host.startsWith('private') ? PRIVATE! : PUBLIC!, family: 4 }]
  },
  isPublic: address => address === PUBLIC,
  isHttpAllowed: true,
}

const { provider, server, createSimpleDraft } = signingServer({
  constants: { DOCUMENT_CHECK: true, DOCUMENT_HOSTS: 'public' },
})

/** What a download says of a document. */
const download = (url: string) =>
  downloadPdf(url, server.deps.config, network).then(
    bytes => String(bytes),
    ({ message }: Error) => message,
  )

test('a private address is never fetched: directly, by name, or through a redirect', async () => {
  const hosts = [PRIVATE, 'private.example.com', 'unknown.example.com'].map(host => toUrl('/x', host))
  const redirects = ['/to-unknown', '/to-address', '/to-name'].map(path => toUrl(path))

  for (const url of [...hosts, ...redirects])
    expect([url, await download(url)]).toEqual([url, 'A document must lie at a public host'])

  expect(await download(toUrl('/lease.pdf'))).toBe('%PDF-1.7 a lease')
  expect(privateRequests).toEqual([])
})

test('400: a document that the check refuses is neither fetched nor sent, and the agreement stays a draft', async () => {
  const { tenant, agreement } = await createSimpleDraft()
  const document_url = `https://${PRIVATE}:${documents.port}/x`
  const agreements = server.db.updateTable('agreements')
  await agreements.set({ document_url }).where('id', '=', agreement.id).execute()

  const { status, error } = await start(tenant, agreement, tenant)

  const message = 'Correct document_url: A document must lie at a public host'
  expect([status, error?.message]).toEqual([400, message])
  expect((await tenant.get(`/agreements/${agreement.id}`)).data.status).toBe('DRAFT')
  expect(provider.creates(document_url)).toEqual([])
  expect(privateRequests).toEqual([])
})
