import { createHash } from 'node:crypto'
import { testServer, type TestServer } from '../../../support/server'
import { agreementTerms, createDraft, createUnit, signInUser, type TestUser } from '../../../support/users'
import * as wire from './provider'

type AgreementId = { id: number }

export type DraftOptions = { tenants?: number } & Record<string, unknown>

/** A draft of a landlord and one or more tenants, who sign in one after the other. */
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

/** Drafts with their parties, and reads of their signatures, at one server. */
export function signingFixtures(server: TestServer) {
  /** Signs users in one after the other: signatures are listed in the order of their ids. */
  async function createUsers<const Count extends number>(count: Count) {
    const users: TestUser[] = []
    while (users.length < count) users.push(await signInUser(server.url))
    return users as [TestUser, TestUser, TestUser, TestUser]
  }

  const createSimpleDraft = (changes: Record<string, unknown> = {}) => createDraftOf(server, changes)

  /** A draft with landlord, manager and two tenants, which the landlord draws up unless it `isByManager`. */
  async function createManagedDraft({ isByManager = false } = {}) {
    const [owner, manager, tenant, second] = await createUsers(4)
    const { unit, path: unitPath } = await createUnit(owner, { managed_by_id: manager.id })
    const terms = agreementTerms(unit.id, [tenant.id, second.id])
    const { data: agreement } = await (isByManager ? manager : owner).post('/agreements', terms)
    return { owner, manager, tenant, second, unit, unitPath, agreement, path: `/agreements/${agreement.id}` }
  }

  async function getSignatures(reader: TestUser, { id }: AgreementId) {
    const { data } = await reader.get(`/agreements/${id}/signatures`)
    return data
  }

  async function getStatus(reader: TestUser, { id }: AgreementId) {
    const { data } = await reader.get(`/agreements/${id}`)
    return data.status
  }

  async function getTimeline(reader: TestUser, { id }: AgreementId) {
    const { data } = await reader.get(`/agreements/${id}/timeline`)
    return data as { entries: any[]; intact: boolean }
  }
  const listEntryTypes = async (reader: TestUser, agreement: AgreementId): Promise<string[]> =>
    (await getTimeline(reader, agreement)).entries.map(({ type }) => type)

  const findRecords = ({ id }: AgreementId) =>
    server.db
      .selectFrom('agreement_signatures')
      .where('agreement_id', '=', id)
      .orderBy('id')
      .selectAll()
      .execute()

  /** Who reads that something happened to an agreement. */
  async function listActivities({ id }: AgreementId, type: string) {
    const activities = server.db
      .selectFrom('activities')
      .where('entity_type', '=', 'agreement')
      .where('entity_id', '=', id)
      .where('type', '=', type)
      .orderBy('user_id')
      .select('user_id')
    return (await activities.execute()).map(({ user_id }) => user_id)
  }

  const drafts = { createUsers, createSimpleDraft, createManagedDraft }
  return { ...drafts, getSignatures, getStatus, getTimeline, listEntryTypes, listActivities, findRecords }
}

type Options = NonNullable<Parameters<typeof testServer>[0]>
type Content = Parameters<wire.Provider['news']>[2]

/** A server whose signatures are made at a provider of the test's own, one request a party. */
export function signingServer({ env, ...options }: Options = {}) {
  const provider = wire.signingProvider()
  const server = testServer({ ...options, env: { ...provider.env, ...env } })
  const fixtures = signingFixtures(server)
  const { createSimpleDraft, getSignatures, getStatus } = fixtures

  /** The provider sends a webhook about a request, by default with its state. */
  const tell = (event: string, request: Parameters<wire.Provider['news']>[1], content?: Content) =>
    deliver(provider.news(event, request, content))
  const deliver = (payload: unknown, sent?: Parameters<wire.Provider['webhook']>[2]) =>
    provider.webhook(server.url, payload, sent)
  const signsAt = (documentId: string) => wire.signsAt(provider, server.url, documentId)
  const signs = (starter: TestUser, agreement: AgreementId, signer: AgreementId) =>
    wire.signs(provider, server.url, starter, agreement, signer)

  /** An agreement that lacks only the tenant's signature, which has been requested. */
  async function createPending() {
    const draft = await createSimpleDraft()
    const { owner, tenant, agreement, path } = draft
    await signs(owner, agreement, owner)
    const { data } = await wire.start(owner, agreement, tenant)
    const id: string = data.signature_id
    return {
      ...draft,
      id,
      request: provider.of(id),
      signature: async () => (await getSignatures(owner, agreement)).signatures[1],
      status: (): Promise<string> => getStatus(owner, agreement),
      cancel: () => owner.post(`${path}/signatures/${id}/cancel`),
      activities: (type: string) => fixtures.listActivities(agreement, type),
    }
  }

  /** Selects the stored webhooks of a payload. */
  function selectWebhooks(payload: unknown) {
    const body = typeof payload === 'string' ? payload : JSON.stringify(payload)
    const digest = createHash('sha256').update(body).digest('hex')
    return server.db.selectFrom('received_webhooks').where('digest', '=', digest)
  }
  const listWebhooks = (payload: unknown) =>
    selectWebhooks(payload).select(['outcome', 'processed_at']).execute()

  const stories = { tell, deliver, signs, signsAt, createPending, selectWebhooks, listWebhooks }
  return { provider, server, ...fixtures, ...stories }
}
