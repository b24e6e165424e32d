import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type { Charge, ChargeQuery, NewCharge, NewCredit, Schedule } from '#types'

/**
 * What is owed under the user's agreements. Amounts are Indian rupees, dates are YYYY-MM-DD. Every method throws a
 * `NotFoundError` for a charge or an agreement that the user may not see.
 */
export interface ChargeCalls extends ReturnType<typeof createCharges> {}

export const createCharges = (http: HttpClient) => ({
  /**
   * Lists the charges of the agreements that the user is a party to or manages. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.charges.list({ pending: true, sort: 'due_date' })
   */
  list: (query?: ChargeQuery, options?: CallOptions) => http.list<Charge>('charges', query, options),

  /**
   * Returns one charge.
   * @example
   * const { status, amount_outstanding } = await kiraya.charges.get(31)
   */
  get: (id: RecordId, options?: CallOptions) => http.get<Charge>(path`charges/${id}`, options),

  /**
   * Posts a charge that the schedule does not have, and returns it. It can be credited, not changed.
   * @throws {ValidationError} A field is not valid, or a date lies before the books or long after the lease.
   * @throws {ForbiddenError} The agreement was never ACTIVE, or the user is a tenant.
   * @example
   * const charge = await kiraya.charges.create(7, {
   *   type: 'electricity',
   *   amount: 1430,
   *   due_date: '2027-01-10',
   *   description: 'Electricity in December',
   * })
   */
  create: (agreementId: RecordId, charge: NewCharge, options?: CallOptions) =>
    http.post<Charge>(path`agreements/${agreementId}/charges`, charge, options),

  /**
   * Credits part of a charge, which then need not be paid, and returns the charge. What was already paid of it
   * becomes an advance.
   * @throws {ValidationError} The amount is more than can still be credited.
   * @throws {ForbiddenError} The user is a tenant.
   * @example
   * const { amount_outstanding } = await kiraya.charges.credit(31, { amount: 500, reason: 'waiver' })
   */
  credit: (id: RecordId, credit: NewCredit, options?: CallOptions) =>
    http.post<Charge>(path`charges/${id}/credits`, credit, options),

  /**
   * Returns the instalments of an agreement's whole tenure, posted and projected, also of a DRAFT.
   * @example
   * const { instalments, total_rent } = await kiraya.charges.schedule(7)
   */
  schedule: (agreementId: RecordId, options?: CallOptions) =>
    http.get<Schedule>(path`agreements/${agreementId}/schedule`, options),
})
