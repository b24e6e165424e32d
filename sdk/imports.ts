import type { HttpClient } from './http-client.ts'
import type { CallOptions } from './options.ts'
import type { LeaseImport, LeaseImportResult, PaymentImport, PaymentImportResult } from '#types'

/** What a landlord has elsewhere, such as in a spreadsheet. An import is one transaction: all rows or none. */
export interface ImportCalls extends ReturnType<typeof createImports> {}

export const createImports = (http: HttpClient) => ({
  /**
   * Imports up to 500 leases with their properties, units and tenants. A repetition finds each by its `external_ref`.
   * @throws {ValidationError} A row breaks a rule; `details` name each row and field, such as `rows.3.terms.rent_amount`.
   * @throws {ForbiddenError} The user manages units of others, and has none.
   * @example
   * const { created, rows } = await kiraya.imports.leases({
   *   rows: [
   *     {
   *       external_ref: 'Lakshmi 101',
   *       property: { alias_name: 'Lakshmi Nilaya', pin_code: 560076, property_type: 'apartment' },
   *       unit: { unit_name: '101' },
   *       tenants: [{ phone_number: '9123456789', first_name: 'Anil' }],
   *       terms: {
   *         agreement_start_date: '2026-04-01',
   *         tenure_in_months: 11,
   *         rent_amount: 25000,
   *         deposit_amount: 50000,
   *         rent_due_day: 5,
   *         notice_period_days: 30,
   *       },
   *       opening: { settled_until: '2026-10-31' },
   *     },
   *   ],
   * })
   */
  leases: (leases: LeaseImport, options?: CallOptions) =>
    http.post<LeaseImportResult>('imports/leases', leases, options),

  /**
   * Records up to 500 payments. A repetition finds each by its `external_ref`, or by what its row says.
   * @throws {ValidationError} A row breaks a rule; `details` name each row and field, such as `rows.3.paid_on`.
   * @throws {ForbiddenError} The user manages units of others, and has none.
   * @example
   * const { created } = await kiraya.imports.payments({
   *   rows: [{ lease: 'Lakshmi 101', paid_on: '2026-11-05', amount: 25000, method: 'upi', reference: '634512345678' }],
   * })
   */
  payments: (payments: PaymentImport, options?: CallOptions) =>
    http.post<PaymentImportResult>('imports/payments', payments, options),
})
