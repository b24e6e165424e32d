import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type {
  AcceptInput,
  Deposit,
  DepositSettlement,
  DisputeInput,
  NewSettlement,
  SettlementPosting,
} from '#types'

/**
 * The deposit of an agreement and its settlement. Amounts are Indian rupees. Every method throws a `NotFoundError`
 * for an agreement that the user may not see.
 */
export interface DepositCalls extends ReturnType<typeof createDeposits> {}

export const createDeposits = (http: HttpClient) => ({
  /**
   * Returns what was agreed, is held, was deducted and refunded, and the settlement.
   * @example
   * const { held, settlement } = await kiraya.deposits.get(7)
   */
  get: (agreementId: RecordId, options?: CallOptions) =>
    http.get<Deposit>(path`agreements/${agreementId}/deposit`, options),

  /**
   * Returns the bytes of a PDF with the settlement; one that is only proposed is marked as that.
   * @throws {NotFoundError} Nothing was proposed yet.
   * @example
   * const pdf = await kiraya.deposits.settlementPdf(7)
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  settlementPdf: (agreementId: RecordId, options?: CallOptions) =>
    http.getFile(path`agreements/${agreementId}/deposit/settlement/pdf`, options),

  /**
   * Proposes how to settle the deposit of a TERMINATED agreement, and returns the settlement. It replaces a
   * proposal that is not posted.
   * @throws {ValidationError} A field is not valid.
   * @throws {ForbiddenError} The lease has not ended, or the user is a tenant.
   * @example
   * const { refund_amount } = await kiraya.deposits.settle(7, {
   *   deductions: [{ type: 'damage', description: 'Painting', amount: 12000 }],
   *   refund_method: 'bank_transfer',
   * })
   */
  settle: (agreementId: RecordId, settlement: NewSettlement, options?: CallOptions) =>
    http.post<DepositSettlement>(path`agreements/${agreementId}/deposit/settlement`, settlement, options),

  /**
   * Accepts the proposed settlement, as a tenant. Name the proposal that the tenant has read: the landlord may
   * have replaced it since.
   * @throws {ValidationError} The landlord has replaced the proposal.
   * @throws {ForbiddenError} The user is no tenant of the agreement.
   * @example
   * const { settlement } = await kiraya.deposits.get(7)
   * if (settlement) await kiraya.deposits.accept(7, { settlement_id: settlement.settlement_id })
   */
  accept: (agreementId: RecordId, accept: AcceptInput, options?: CallOptions) =>
    http.post<DepositSettlement>(path`agreements/${agreementId}/deposit/settlement/accept`, accept, options),

  /**
   * Disputes the proposed settlement, as a tenant. The reason stays on record.
   * @throws {ForbiddenError} The user is no tenant of the agreement.
   * @example
   * const { settlement } = await kiraya.deposits.get(7)
   * const reason = 'The geyser was broken before'
   * if (settlement) await kiraya.deposits.dispute(7, { settlement_id: settlement.settlement_id, reason })
   */
  dispute: (agreementId: RecordId, dispute: DisputeInput, options?: CallOptions) =>
    http.post<DepositSettlement>(
      path`agreements/${agreementId}/deposit/settlement/dispute`,
      dispute,
      options,
    ),

  /**
   * Posts a settlement that was accepted or disputed, on paper too, or that no tenant answered in time: the deposit
   * settles what is owed, and the rest is refunded.
   * @throws {ValidationError} What is held or open has changed: propose it again.
   * @throws {ForbiddenError} The user is a tenant.
   * @example
   * await kiraya.deposits.post(7, { reference: '432156789012' })
   */
  post: (agreementId: RecordId, posting: SettlementPosting = {}, options?: CallOptions) =>
    http.post<DepositSettlement>(path`agreements/${agreementId}/deposit/settlement/post`, posting, options),
})
