import type { TestServer } from '../../../support/server'
import { agreementTerms, createDraft, createUnit, signInUser, type TestUser } from '../../../support/users'

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

  const findRecords = ({ id }: AgreementId) =>
    server.db
      .selectFrom('agreement_signatures')
      .where('agreement_id', '=', id)
      .orderBy('id')
      .selectAll()
      .execute()

  return { createUsers, createSimpleDraft, createManagedDraft, getSignatures, getStatus, findRecords }
}
