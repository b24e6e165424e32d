import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type { AcceptanceInput, NewRentRevision, RentRevision, RentRevisionQuery } from '#types'

/**
 * The rents that the landlord's side proposes for an agreement, and a tenant accepts or declines. Every method throws a `NotFoundError` for what the user may not see.
 */
export interface RentRevisionCalls extends ReturnType<typeof createRentRevisions> {}

export const createRentRevisions = (http: HttpClient) => ({
  /**
   * Lists the revisions of an agreement's rent. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.rentRevisions.list(7, { sort: '-effective_on' })
   */
  list: (agreementId: RecordId, query?: RentRevisionQuery, options?: CallOptions) =>
    http.list<RentRevision>(path`agreements/${agreementId}/rent-revisions`, query, options),

  /**
   * Proposes another rent of an ACTIVE agreement and returns the revision. `withResponse` adds the warnings.
   * @throws {ValidationError} The day is past, outside of the lease, or has a rent that was accepted.
   * @throws {ForbiddenError} The agreement is not ACTIVE, or the user is a tenant.
   * @example
   * const { data, warnings } = await kiraya.rentRevisions
   *   .propose(7, { rent_amount: 27000, effective_on: '2027-06-01' })
   *   .withResponse()
   */
  propose: (agreementId: RecordId, revision: NewRentRevision, options?: CallOptions) =>
    http.post<RentRevision>(path`agreements/${agreementId}/rent-revisions`, revision, options),

  /**
   * Accepts a proposed rent as a tenant, or for the landlord's side what was accepted on paper. Returns the revision.
   * @throws {ValidationError} It was accepted or declined before.
   * @throws {ForbiddenError} The user is no tenant of the agreement.
   * @example
   * const { rent_amount, effective_on } = await kiraya.rentRevisions.accept(7, 3)
   */
  accept: (agreementId: RecordId, id: RecordId, acceptance: AcceptanceInput = {}, options?: CallOptions) =>
    http.post<RentRevision>(path`agreements/${agreementId}/rent-revisions/${id}/accept`, acceptance, options),

  /**
   * Declines a proposed rent as a tenant, and returns the revision.
   * @throws {ValidationError} It was accepted or declined before.
   * @throws {ForbiddenError} The user is no tenant of the agreement.
   * @example
   * const { status } = await kiraya.rentRevisions.decline(7, 3)
   */
  decline: (agreementId: RecordId, id: RecordId, options?: CallOptions) =>
    http.post<RentRevision>(path`agreements/${agreementId}/rent-revisions/${id}/decline`, undefined, options),

  /**
   * Withdraws a proposed rent for the landlord's side, and returns the revision.
   * @throws {ValidationError} It was accepted, declined or withdrawn before.
   * @throws {ForbiddenError} The user is a tenant, or the agreement is not ACTIVE.
   * @example
   * const { status } = await kiraya.rentRevisions.withdraw(7, 3)
   */
  withdraw: (agreementId: RecordId, id: RecordId, options?: CallOptions) =>
    http.post<RentRevision>(
      path`agreements/${agreementId}/rent-revisions/${id}/withdraw`,
      undefined,
      options,
    ),
})
