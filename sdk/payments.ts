import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type {
  AllocationChange,
  BounceInput,
  ClearInput,
  ConfirmInput,
  NewPayment,
  NewRefund,
  Payment,
  PaymentChange,
  PaymentQuery,
  Refund,
  RefundQuery,
  RejectInput,
  ReverseInput,
  Tds,
  TdsQuery,
} from '#types'

/**
 * What was paid under the user's agreements. Amounts are Indian rupees, dates are YYYY-MM-DD. Every method throws a
 * `NotFoundError` for a payment or an agreement that the user may not see, and every change a `ForbiddenError` for
 * a tenant, who may only report payments.
 */
export interface PaymentCalls extends ReturnType<typeof createPayments> {}

export const createPayments = (http: HttpClient) => ({
  /**
   * Lists the payments for the agreements that the user is a party to or manages. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.payments.list({ agreement_id: 7, sort: '-paid_on' })
   */
  list: (query?: PaymentQuery, options?: CallOptions) => http.list<Payment>('payments', query, options),

  /**
   * Returns one payment.
   * @example
   * const { status, allocations } = await kiraya.payments.get(12)
   */
  get: (id: RecordId, options?: CallOptions) => http.get<Payment>(path`payments/${id}`, options),

  /**
   * Returns the bytes of the receipt, a PDF. That of a reversed payment is marked as cancelled.
   * @throws {NotFoundError} The payment was never posted.
   * @example
   * const pdf = await kiraya.payments.receipt(12)
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  receipt: (id: RecordId, options?: CallOptions) => http.getFile(path`payments/${id}/receipt`, options),

  /**
   * Records a payment and returns it. The landlord's side posts it at once, a cheque when it is cleared; a
   * tenant's payment is `reported`.
   * @throws {ValidationError} A field is not valid, a charge is owed less than its allocation, or another payment
   * by this method has this reference.
   * @throws {ForbiddenError} The agreement was never ACTIVE.
   * @example
   * const { receipt_number, unapplied_amount } = await kiraya.payments.create(7, {
   *   amount: 25000,
   *   method: 'upi',
   *   reference: '634512345678',
   * })
   */
  create: (agreementId: RecordId, payment: NewPayment, options?: CallOptions) =>
    http.post<Payment>(path`agreements/${agreementId}/payments`, payment, options),

  /**
   * Confirms a payment that a tenant reported, which posts it, and returns it.
   * @throws {ValidationError} The payment is not reported, or another payment by this method has its reference.
   * @example
   * const { receipt_number } = await kiraya.payments.confirm(12)
   */
  confirm: (id: RecordId, confirm: ConfirmInput = {}, options?: CallOptions) =>
    http.post<Payment>(path`payments/${id}/confirm`, confirm, options),

  /**
   * Rejects a payment that a tenant reported, and returns it.
   * @throws {ValidationError} The payment is not reported.
   * @example
   * await kiraya.payments.reject(12, { reason: 'No such transfer arrived' })
   */
  reject: (id: RecordId, reject: RejectInput = {}, options?: CallOptions) =>
    http.post<Payment>(path`payments/${id}/reject`, reject, options),

  /**
   * Posts a cheque that the bank has cleared, and returns the payment. One that is dated after its entry is paid
   * on its date.
   * @throws {ValidationError} The payment is not pending, or the day lies ahead or before the cheque's date.
   * @example
   * const { status } = await kiraya.payments.clear(12, { cleared_on: '2027-01-08' })
   */
  clear: (id: RecordId, clear: ClearInput = {}, options?: CallOptions) =>
    http.post<Payment>(path`payments/${id}/clear`, clear, options),

  /**
   * Records that a cheque bounced, and returns the payment. One that was posted is reversed: its charges are open
   * again.
   * @throws {ValidationError} The payment is no cheque, or neither pending nor posted.
   * @example
   * await kiraya.payments.bounce(12, { reason: 'Insufficient funds', charge_amount: 500 })
   */
  bounce: (id: RecordId, bounce: BounceInput = {}, options?: CallOptions) =>
    http.post<Payment>(path`payments/${id}/bounce`, bounce, options),

  /**
   * Takes a posted payment back and returns it: its charges are open again, its receipt is cancelled.
   * @throws {ValidationError} The payment is not posted, or part of it was moved to a renewal, or refunded: reverse the refund
   * first.
   * @example
   * const { status } = await kiraya.payments.reverse(12, { reason: 'Entered twice' })
   */
  reverse: (id: RecordId, reverse: ReverseInput, options?: CallOptions) =>
    http.post<Payment>(path`payments/${id}/reverse`, reverse, options),

  /**
   * Keeps the number of the TDS certificate, which the tenant hands over later, with a posted payment, and returns
   * it. Nothing is posted; the receipt shows the number.
   * @throws {ValidationError} The payment is not posted, or no tax was withheld.
   * @example
   * await kiraya.payments.update(12, { tds_certificate_number: 'ABCD1234E' })
   */
  update: (id: RecordId, change: PaymentChange, options?: CallOptions) =>
    http.patch<Payment>(path`payments/${id}`, change, options),

  /**
   * Settles other charges with a posted payment and returns it. What is taken away from a charge is an advance, which
   * waits until somebody allocates it.
   * @throws {ValidationError} The payment is not posted, or an allocation is more than what is owed or left.
   * @example
   * await kiraya.payments.allocate(12, { allocations: [{ charge_id: 31, amount: 5000 }] })
   */
  allocate: (id: RecordId, allocations: AllocationChange, options?: CallOptions) =>
    http.put<Payment>(path`payments/${id}/allocations`, allocations, options),

  /**
   * Records that an advance was paid back, from the oldest payments first, and returns the refund.
   * @throws {ValidationError} The amount is more than the advance of the lease.
   * @example
   * const { payments } = await kiraya.payments.refund(7, { amount: 1000, method: 'upi' })
   */
  refund: (agreementId: RecordId, refund: NewRefund, options?: CallOptions) =>
    http.post<Refund>(path`agreements/${agreementId}/refunds`, refund, options),

  /**
   * Lists the advances of an agreement that were paid back. `await` returns a page, `for await` yields all.
   * @example
   * const { data } = await kiraya.payments.refunds(7, { status: 'posted' })
   */
  refunds: (agreementId: RecordId, query?: RefundQuery, options?: CallOptions) =>
    http.list<Refund>(path`agreements/${agreementId}/refunds`, query, options),

  /**
   * Takes a refund back and returns it: its money is an advance again, and its payments can be reversed.
   * @throws {ValidationError} It is reversed already, or the lease is COMPLETED and owes less.
   * @example
   * const { status } = await kiraya.payments.reverseRefund(3, { reason: 'Entered for the wrong lease' })
   */
  reverseRefund: (id: RecordId, reverse: ReverseInput, options?: CallOptions) =>
    http.post<Refund>(path`refunds/${id}/reverse`, reverse, options),

  /**
   * Suggests the tax that a tenant deducts from the rent of a year, and of which rent; the tenant decides.
   * `withResponse()` has a warning if there are several tenants.
   * @throws {ValidationError} The year is not valid.
   * @example
   * const { amount, deduct_from } = await kiraya.payments.tds(7, { year: '2026-27' })
   */
  tds: (agreementId: RecordId, query?: TdsQuery, options?: CallOptions) =>
    http.get<Tds>(path`agreements/${agreementId}/tds`, options, query),
})
