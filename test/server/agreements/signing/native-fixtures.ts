import { getKysely } from '../../../../db/database'
import { clock, testServer, type TestServer } from '../../../support/server'
import { createDraft, signInUser, type TestUser } from '../../../support/users'
import { LEASE, nativeProvider } from './native-provider'
import { start } from './provider'

type Provider = ReturnType<typeof nativeProvider>
export type DraftOptions = { tenants?: number } & Record<string, unknown>
type Party = { owner: TestUser; agreement: { id: number } }

/** The content of a document with these signatures, as the test provider writes it. */
export const withSignatures = (...users: TestUser[]) =>
  [LEASE, ...users.map(({ phone }) => `signed by ${phone}`)].join('\n')

/** A draft of a landlord and one or more tenants. */
export async function createDraftOf(
  server: TestServer,
  { tenants: count = 1, ...changes }: DraftOptions = {},
) {
  const owner = await signInUser(server)
  const tenants: TestUser[] = []
  while (tenants.length < count) tenants.push(await signInUser(server))
  return { owner, tenants, tenant: tenants[0]!, ...(await createDraft(owner, tenants, changes)) }
}
export type DraftFixture = Awaited<ReturnType<typeof createDraftOf>>

/** Drafts at a server whose provider asks all parties by one request. */
export function nativeFixtures(server: TestServer, provider: Provider) {
  let documents = 0

  function createNativeDraft(options: DraftOptions = {}) {
    const document_url = provider.document_url(`lease-${++documents}`)
    return createDraftOf(server, { document_url, ...options })
  }

  /** Starts the signing of landlord and tenant, which share one request. */
  async function startBoth(options?: DraftOptions) {
    const draft = await createNativeDraft(options)
    const { owner, tenant, agreement } = draft
    const answers = [await start(owner, agreement, owner), await start(owner, agreement, tenant)]
    return { ...draft, answers, requestId: findRequests(owner)[0]!.id }
  }

  /** The requests that ask a user to sign. */
  const findRequests = ({ phone }: TestUser) =>
    provider.requests.filter(({ signers }) => signers.some(({ identifier }) => identifier === phone))

  const getUpload = (documentId: string) => provider.uploads.get(documentId)!

  /** A user signs at the provider, which sends a webhook. */
  async function signs(user: TestUser, requestId: string) {
    provider.becomes(requestId, user, { status: 'signed', errCode: null })
    return provider.tell(server.url, requestId)
  }

  async function declines(user: TestUser, requestId: string) {
    provider.becomes(requestId, user, { errCode: 'signer_declined' })
    return provider.tell(server.url, requestId, { event: 'ESIGN_FAILED' })
  }

  async function getAgreement({ owner, agreement }: Party) {
    const { data } = await owner.get(`/agreements/${agreement.id}`)
    return data
  }

  async function getSignatures({ owner, agreement }: Party) {
    const { data } = await owner.get(`/agreements/${agreement.id}/signatures`)
    return data
  }

  const findRecords = ({ agreement }: Party) =>
    getKysely(server.em())
      .selectFrom('agreement_signatures')
      .where('agreement_id', '=', agreement.id)
      .orderBy('id')
      .select(['status', 'provider', 'provider_request_id', 'provider_signature_id', 'last_error'])
      .execute()

  return {
    createNativeDraft,
    startBoth,
    findRequests,
    getUpload,
    signs,
    declines,
    getAgreement,
    getSignatures,
    findRecords,
  }
}

/** A server with a clock of its own, a native provider and the fixtures for both. */
export function nativeServer() {
  const provider = nativeProvider()
  const time = clock()
  const server = testServer({
    env: {
      ...provider.env,
      PROVIDER_TIMEOUT_MS: '10000',
      PROVIDER_TOTAL_TIMEOUT_MS: '20000',
      PROVIDER_RETRIES: '0',
    },
    overrides: { now: time.now },
  })
  return { provider, time, server, ...nativeFixtures(server, provider) }
}
