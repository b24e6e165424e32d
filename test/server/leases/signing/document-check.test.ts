import { describe, expect, test } from 'bun:test'
import { serveUntilEnd } from '../../../support/provider-double'
import { testServer } from '../../../support/server'
import { start } from './provider'
import { createDraftOf, signingServer } from './signing-fixtures'

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

const PUBLIC_URL = 'https://kiraya.internal'
const SAMPLE_LEASE = `${PUBLIC_URL}/sandbox/files/sample-lease.pdf`
const constants = { DOCUMENT_CHECK: true, DOCUMENT_HOSTS: 'public' } as const

test('400: the sample lease at a private address is one of others if the sandbox does not sign', async () => {
  const { owner, path } = await createSimpleDraft()
  const document_url = `${server.url}/sandbox/files/sample-lease.pdf`
  expect((await owner.patch(path, { document_url })).status).toBe(400)
})

describe.each(['flexi', 'native'])('the sandbox, as %s, at a private address', ESIGN_PROTOCOL => {
  const sandbox = testServer({ env: { PUBLIC_URL, ESIGN_PROTOCOL }, constants })

  test('200: its own sample lease is signed, although no request gets to it', async () => {
    const { owner, tenant, agreement } = await createDraftOf(sandbox, { document_url: SAMPLE_LEASE })
    const { status, data } = await start(owner, agreement, tenant)
    expect([status, new URL(data.signing_url).origin]).toEqual([200, PUBLIC_URL])
  })

  test.each([
    SAMPLE_LEASE.replace('https', 'http'),
    SAMPLE_LEASE.replace('internal', 'internal:8443'),
    SAMPLE_LEASE.replace('kiraya', 'db'),
    SAMPLE_LEASE.replace('kiraya', 'me:secret@kiraya'),
    SAMPLE_LEASE.replace('sample-lease', 'other'),
    `${SAMPLE_LEASE}?page=1`,
    `${SAMPLE_LEASE}/../other.pdf`,
    `${PUBLIC_URL}/metrics`,
  ])('400: %s', async document_url => {
    const { owner, path } = await createDraftOf(sandbox)
    const { status, error } = await owner.patch(path, { document_url })
    expect([status, error.details[0].property]).toEqual([400, 'document_url'])
  })
})
