import { beforeAll, describe, expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import { clock, testServer } from '../../../support/server'
import { atServer, createDraft, createTenant, signInUser, type Target } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { signingProvider, signs, start } from './provider'
import { hurriedInstance, problem, providerFailures, slowFailures, TAKEN_ID } from './provider-failures'

const provider = signingProvider()
const time = clock()
// Sign-ins wait for a provider too, so only the hurried instance has short limits.
const patient = { ...provider.env, PROVIDER_TIMEOUT_MS: '10000', PROVIDER_TOTAL_TIMEOUT_MS: '20000' }
const server = testServer({ env: { ...patient, PROVIDER_RETRIES: '0' }, overrides: { now: time.now } })
const retrying = testServer({ env: { ...patient, PROVIDER_RETRIES: '2' } })
const unreachable = testServer({
  env: { ...patient, PROVIDER_RETRIES: '0', ESIGN_API_URL: 'http://127.0.0.1:1' },
})
const hurried = hurriedInstance(server, provider.env)

async function createDraftAt(target: Target, changes: Record<string, unknown> = {}) {
  const landlord = await signInUser(target)
  const tenant = await createTenant(target)
  return { landlord, tenant, ...(await createDraft(landlord, [tenant], changes)) }
}
const toSeen = ({ status, body }: { status: number; body: unknown }) => [status, body]

describe('503: a start when the provider', () => {
  beforeAll(async () => {
    const { tenant, agreement } = await createDraftAt(server)
    const signature = {
      agreement_id: agreement.id,
      signer_id: tenant.id,
      signer_role: 'TENANT' as const,
      provider: 'setu',
      provider_request_id: TAKEN_ID,
      expires_at: time.now(),
    }
    await getKysely(server.em()).insertInto('agreement_signatures').values(signature).execute()
  })

  const failures = Object.entries({ ...providerFailures, ...slowFailures })
  test.each(failures)('%s: the agreement is unchanged, and a later start succeeds', async (name, fail) => {
    const { landlord, tenant, agreement, path } = await createDraftAt(server)
    provider.replies.create = fail

    const starter = name in slowFailures ? atServer(hurried, landlord) : landlord
    const refused = await start(starter, agreement, tenant)

    expect(toSeen(refused)).toEqual([503, enveloped(503)])
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.error.message).not.toContain('hush')
    expect((await landlord.get(path)).data).toEqual(agreement)
    expect((await landlord.get(`${path}/signatures`)).data).toEqual({ signatures: [], allSigned: false })
    expect((await landlord.patch(path, { rent_amount: 26000 })).status).toBe(200)
    delete provider.replies.create
    expect((await start(landlord, agreement, tenant)).status).toBe(200)
  })

  test('cannot be reached', async () => {
    const { landlord, tenant, agreement, path } = await createDraftAt(unreachable)
    expect(toSeen(await start(landlord, agreement, tenant))).toEqual([503, enveloped(503)])
    expect((await landlord.get(path)).data).toEqual(agreement)
  })

  test('fails for all that start at once', async () => {
    const { landlord, tenant, agreement, path } = await createDraftAt(server)
    provider.replies.create = () => Bun.sleep(50).then(() => new Response(null, { status: 500 }))
    const responses = await Promise.all(Array.from({ length: 6 }, () => start(landlord, agreement, tenant)))
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(503))
    expect((await landlord.delete(path)).status).toBe(200)
  })

  test('fails for one party: the signatures of others stay', async () => {
    const { landlord, tenant, agreement, path } = await createDraftAt(server)
    await signs(provider, server.url, landlord, agreement, landlord)
    provider.replies.create = () => problem(500, 'internal_server_error')
    expect((await start(landlord, agreement, tenant)).status).toBe(503)
    expect((await landlord.get(`${path}/signatures`)).data).toMatchObject({
      allSigned: false,
      signatures: [{ status: 'signed' }],
    })
    expect((await landlord.get(path)).data.status).toBe('PENDING')
  })
})

describe('a request to create a signing', () => {
  // Sent again only when it cannot have happened.
  const tries: [status: number, requests: number][] = [
    [400, 1],
    [401, 1],
    [408, 1],
    [500, 1],
    [502, 1],
    [504, 1],
    [429, 3],
    [503, 3],
  ]
  test.each(tries)('answered %i is sent %i times', async (status, requests) => {
    const document_url = `https://example.com/tries-${status}.pdf`
    const { landlord, tenant, agreement } = await createDraftAt(retrying, { document_url })
    provider.replies.create = () => new Response(null, { status, headers: { 'retry-after': '0' } })

    expect((await start(landlord, agreement, tenant)).status).toBe(503)

    const sent = provider.creates(document_url)
    const documentIds = new Set(sent.map(({ body }) => body.documentId))
    expect([sent.length, documentIds.size]).toEqual([requests, 1])
  })

  test('that is not answered in time is sent once', async () => {
    const document_url = 'https://example.com/late.pdf'
    const { landlord, tenant, agreement } = await createDraftAt(server, { document_url })
    provider.replies.create = slowFailures['does not answer in time']
    expect((await start(atServer(hurried, landlord), agreement, tenant)).status).toBe(503)
    expect(provider.creates(document_url)).toHaveLength(1)
  })

  test('that succeeds when sent again has one response', async () => {
    const { landlord, tenant, agreement } = await createDraftAt(retrying)
    provider.replies.create = () => {
      delete provider.replies.create
      return new Response(null, { status: 503, headers: { 'retry-after': '0' } })
    }
    expect((await start(landlord, agreement, tenant)).status).toBe(200)
  })
})
