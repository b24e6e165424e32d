import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type { RentProofQuery, Statement, StatementDays, StatementQuery } from '#types'

/**
 * The documents of a lease. Years are from April to March, dates YYYY-MM-DD. Every method throws a `NotFoundError` for
 * an agreement that the user may not see.
 */
export interface StatementCalls extends ReturnType<typeof createStatements> {}

export const createStatements = (http: HttpClient) => ({
  /**
   * Returns the tenants' account under an agreement: what became due, what was paid, and the balance. With
   * `verify: true`, `is_intact` is false if a posting of the lease was changed or removed.
   * @throws {ValidationError} The days end before they begin, or come with a year.
   * @example
   * const { lines, closing_balance } = await kiraya.statements.get(7, { year: '2026-27' })
   */
  get: (agreementId: RecordId, query?: StatementQuery, options?: CallOptions) =>
    http.get<Statement>(path`agreements/${agreementId}/statement`, options, query),

  /**
   * Returns the bytes of the same account as a PDF.
   * @throws {ValidationError} The days end before they begin, or come with a year.
   * @example
   * const pdf = await kiraya.statements.pdf(7, { from: '2026-04-01', to: '2026-12-31' })
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  pdf: (agreementId: RecordId, query?: StatementDays, options?: CallOptions) =>
    http.getFile(path`agreements/${agreementId}/statement/pdf`, options, query),

  /**
   * Returns the bytes of a PDF with the rent that one tenant paid in a year, for their employer. A tenant gets
   * their own.
   * @throws {ValidationError} `payer_id` is missing or no tenant, or another one than the tenant who asks.
   * @example
   * const pdf = await kiraya.statements.rentProof(7, { year: '2026-27' })
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  rentProof: (agreementId: RecordId, query?: RentProofQuery, options?: CallOptions) =>
    http.getFile(path`agreements/${agreementId}/rent-proof`, options, query),
})
