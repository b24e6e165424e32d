import { clock, testServer, type TestServer } from '../../../support/server'
import type { TestUser } from '../../../support/users'
import { LEASE, nativeProvider } from './native-provider'
import { start } from './provider'
import { createDraftOf, signingFixtures, type DraftOptions } from './signing-fixtures'

type Provider = ReturnType<typeof nativeProvider>

/** The content of a document with these signatures, as the test provider writes it. */
export const withSignatures = (...users: TestUser[]) =>
  [LEASE, ...users.map(({ phone }) => `signed by ${phone}`)].join('\n')

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

  return {
    ...signingFixtures(server),
    createNativeDraft,
    startBoth,
    findRequests,
    getUpload,
    signs,
    declines,
  }
}

/** A server with a clock of its own, a native provider and the fixtures for both. */
export function nativeServer(options: Pick<NonNullable<Parameters<typeof testServer>[0]>, 'observe'> = {}) {
  const provider = nativeProvider()
  const time = clock()
  const server = testServer({
    env: provider.env,
    constants: { PROVIDER_TIMEOUT_MS: 10_000, PROVIDER_TOTAL_TIMEOUT_MS: 20_000, PROVIDER_RETRIES: 0 },
    overrides: { now: time.now },
    ...options,
  })
  return { provider, time, server, ...nativeFixtures(server, provider) }
}
