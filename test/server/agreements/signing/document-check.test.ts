import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { readConfig } from '../../../../server/config'
import { createDocumentCheck } from '../../../../server/providers/document-check'
import type { Network } from '../../../../server/providers/download'
import { testServer } from '../../../support/server'
import { development, production } from '../../config/environments'
import { signingFixtures } from './signing-fixtures'
import { signingProvider, start } from './provider'

/** Hosts of these tests: one counts as public, the other as private. */
const [PUBLIC, PRIVATE] = ['127.0.0.1', '127.0.0.2']
const privateRequests: string[] = []
const replies: Record<string, () => Response | Promise<Response>> = {}
const documents = Bun.serve({
  port: 0,
  hostname: PUBLIC,
  fetch: request => replies[new URL(request.url).pathname]?.() ?? new Response('x', { status: 404 }),
})
const internal = Bun.serve({
  port: documents.port!,
  hostname: PRIVATE,
  fetch: request => {
    privateRequests.push(request.url)
    return new Response('%PDF-1.7 internal')
  },
})
afterAll(() => Promise.all([documents.stop(true), internal.stop(true)]))
beforeEach(() => void privateRequests.splice(0))

const toUrl = (path: string, host = PUBLIC) => `http://${host}:${documents.port}${path}`
const network: Network = {
  resolveHost: async host => {
    if (host.startsWith('unknown')) throw Object.assign(new Error(), { name: 'DNSException' })
    return [{ address: host.startsWith('private') ? PRIVATE! : PUBLIC!, family: 4 }]
  },
  isPublic: address => address === PUBLIC,
}

const provider = signingProvider()
const env = { ...provider.env, PROVIDER_RETRIES: '0' }
const server = testServer({ env })
const checking = testServer({ env: { ...env, DOCUMENT_CHECK: 'true', DOCUMENT_HOSTS: 'public' } })
const { createSimpleDraft, getStatus } = signingFixtures(server)

/** The server's provider, with a check as strict about private hosts as with DOCUMENT_HOSTS=public. */
beforeAll(() => {
  const settings = { ...server.deps.config, DOCUMENT_CHECK: true }
  const check = createDocumentCheck(settings, network)
  const { signing } = server.deps
  const initiate: typeof signing.initiate = async request => {
    await check(request.documentUrl)
    return signing.initiate(request)
  }
  Object.assign(server.deps, { signing: { ...signing, initiate } })
})

async function startWith(document_url: string) {
  const { owner, tenant, agreement } = await createSimpleDraft({ document_url })
  const { status, error } = await start(owner, agreement, tenant)
  const isSent = provider.creates(document_url).length > 0
  return { status, message: error?.message, isSent, agreement: await getStatus(owner, agreement) }
}

test('200: a PDF at a public address is sent', async () => {
  replies['/lease.pdf'] = () => new Response('%PDF-1.7 a lease')
  const started = await startWith(toUrl('/lease.pdf'))
  expect(started).toEqual({ status: 200, message: undefined, isSent: true, agreement: 'PENDING' })
})

const tooLarge = () => new Response(new Blob(['%PDF-', new Uint8Array(10 * 1024 * 1024 - 4)]))
test.each([
  ['is not there', '/missing', undefined, 'The address of the document answered 404'],
  ['is not a PDF', '/html', () => new Response('<html>'), 'A document must be a PDF'],
  ['is a byte larger than 10 MiB', '/large', tooLarge, 'A document must have at most 10 MiB'],
])('400: a document that %s is not sent', async (_, path, reply, rule) => {
  if (reply) replies[path] = reply

  expect(await startWith(toUrl(path))).toEqual({
    status: 400,
    message: `Correct document_url: ${rule}`,
    isSent: false,
    agreement: 'DRAFT',
  })
})

test('a private address is never fetched: directly, by name, or through a redirect', async () => {
  replies['/to-address'] = () => Response.redirect(toUrl('/x', PRIVATE), 302)
  replies['/to-name'] = () => Response.redirect(toUrl('/x', 'private.example.com'), 307)
  replies['/to-unknown'] = () => Response.redirect(toUrl('/x', 'unknown.example.com'), 302)
  const urls = [
    toUrl('/x', PRIVATE),
    toUrl('/x', 'private.example.com'),
    toUrl('/x', 'unknown.example.com'),
    toUrl('/to-unknown'),
    toUrl('/to-address'),
    toUrl('/to-name'),
  ]

  // Development permits such documents, which only the provider may be able to reach, as one that this server's
  // name servers do not know.
  for (const url of urls) expect(await startWith(url)).toMatchObject({ status: 200, isSent: true })

  expect(privateRequests).toEqual([])
})

test('400: with DOCUMENT_HOSTS=public a private address is refused and not fetched', async () => {
  const { tenant, agreement } = await signingFixtures(checking).createSimpleDraft()
  const document_url = `https://${PRIVATE}:${documents.port}/x`
  await getKysely(checking.em())
    .updateTable('agreements')
    .set({ document_url })
    .where('id', '=', agreement.id)
    .execute()

  const { status, error } = await start(tenant, agreement, tenant)

  expect([status, error?.message]).toEqual([
    400,
    'Correct document_url: A document must lie at a public host',
  ])
  expect(provider.creates(document_url)).toEqual([])
  expect(privateRequests).toEqual([])
})

test.each([
  ['on in production', production, true],
  ['off in development', development, false],
  ['off in production if set so', { ...production, DOCUMENT_CHECK: 'false' }, false],
])('the check is %s', (_, environment, isOn) => {
  expect(readConfig(environment).DOCUMENT_CHECK).toBe(isOn)
})
