import type { HttpClient } from './http-client.ts'
import { path, type RecordId } from './inputs.ts'
import type { CallOptions } from './options.ts'
import type {
  AcceptanceInput,
  Agreement,
  AgreementChange,
  AgreementQuery,
  AgreementStatus,
  CancelledSignature,
  DeclinedSignature,
  DeclineInput,
  DocumentQuery,
  LeaseDocument,
  Message,
  NewAgreement,
  ObjectionInput,
  RecordInput,
  RenewInput,
  Signatures,
  SignInput,
  StartedSigning,
  TerminateInput,
  Timeline,
} from '#types'
import { requireFile, type Upload, type UploadOptions } from './uploads.ts'
import { waitForStatus } from './waiting.ts'

/**
 * Lease agreements and their signing. Amounts are Indian rupees, dates are YYYY-MM-DD. Every method throws a
 * `NotFoundError` for an agreement that the user may not see.
 */
export interface AgreementCalls extends ReturnType<typeof createAgreements> {}

export const createAgreements = (http: HttpClient) => ({
  /**
   * Creates a DRAFT agreement and returns it; `withResponse` adds the warnings.
   * @throws {ValidationError} A field is not valid.
   * @throws {NotFoundError} The unit does not exist or belongs to another landlord.
   * @example
   * const agreement = await kiraya.agreements.create({
   *   property_unit_id: 5,
   *   tenant_ids: [12],
   *   document: { template: 'residential', language: 'hi' },
   *   agreement_start_date: '2026-12-01',
   *   tenure_in_months: 11,
   *   rent_amount: 25000,
   *   rent_due_day: 5,
   *   notice_period_days: 30,
   * })
   */
  create: (agreement: NewAgreement, options?: CallOptions) =>
    http.post<Agreement>('agreements', agreement, options),

  /**
   * Lists the agreements that the user is a party to or manages. `await` returns a page, `for await` yields all.
   * @example
   * const { data, metadata } = await kiraya.agreements.list({ status: 'ACTIVE', sort: '-created_at' })
   */
  list: (query?: AgreementQuery, options?: CallOptions) => http.list<Agreement>('agreements', query, options),

  /**
   * Returns one agreement.
   * @example
   * const agreement = await kiraya.agreements.get(7)
   */
  get: (id: RecordId, options?: CallOptions) => http.get<Agreement>(path`agreements/${id}`, options),

  /**
   * Asks for the agreement again and again, after 250 ms at first and in the end every 5 seconds, until it has the
   * status, and returns it. `timeoutMs` is the longest wait, 10 minutes by default.
   * @throws {TimeoutError} The agreement does not have the status in time.
   * @throws {ForbiddenError} The agreement is past the status, or a signature is declined or expired; `details` has
   * that signature.
   * @example
   * const agreement = await kiraya.agreements.waitFor(7, 'ACTIVE', { timeoutMs: 60_000 })
   */
  waitFor: (id: RecordId, status: AgreementStatus, options?: CallOptions) =>
    waitForStatus(http, id, status, options),

  /**
   * Changes the given fields of a DRAFT and returns it; null clears an optional field.
   * @throws {ForbiddenError} The agreement is not a DRAFT.
   * @example
   * await kiraya.agreements.update(7, { rent_amount: 26000, late_fee: null })
   */
  update: (id: RecordId, change: AgreementChange, options?: CallOptions) =>
    http.patch<Agreement>(path`agreements/${id}`, change, options),

  /**
   * Sets the lease of a DRAFT and returns the agreement: a template, with which the server words it from the terms, or a PDF of
   * at most 10 MiB. It replaces what the draft had.
   * @throws {ValidationError} People could not read the file, or the landlord's files have 1 GiB.
   * @throws {ForbiddenError} The agreement is not a DRAFT.
   * @throws {PayloadTooLargeError} The file is larger.
   * @example
   * await kiraya.agreements.setDocument(7, { template: 'leave_and_licence', language: 'en' })
   * const file = new Blob(['%PDF-1.7'])
   * await kiraya.agreements.setDocument(7, file, { onProgress: ({ sent, total }) => console.log(sent / total) })
   */
  setDocument: (id: RecordId, document: LeaseDocument | Upload, options?: UploadOptions) =>
    http.post<Agreement>(
      path`agreements/${id}/document`,
      () => ('template' in document ? document : requireFile(document)),
      options,
    ),

  /**
   * Returns the bytes of the lease before it is signed, a PDF: the uploaded file, or the worded one as the draft is now.
   * @throws {NotFoundError} The agreement has no document, or one at an address alone.
   * @example
   * const pdf = await kiraya.agreements.preview(7)
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  preview: (id: RecordId, options?: CallOptions) => http.getFile(path`agreements/${id}/draft.pdf`, options),

  /**
   * Deletes a DRAFT.
   * @throws {ForbiddenError} The agreement is not a DRAFT.
   * @example
   * await kiraya.agreements.delete(7)
   */
  delete: (id: RecordId, options?: CallOptions) => http.delete<Message>(path`agreements/${id}`, options),

  /**
   * Terminates a PENDING agreement and returns a new DRAFT with the same terms and the given changes.
   * @throws {ForbiddenError} The agreement is not PENDING.
   * @example
   * const draft = await kiraya.agreements.revise(7, { rent_amount: 24000 })
   */
  revise: (id: RecordId, change: AgreementChange = {}, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/revise`, change, options),

  /**
   * Draws up the next term of a lease as a DRAFT, from the day after its end, with an escalation that falls on that
   * day. When it becomes ACTIVE and a tenant stays (`deposit_moves`), deposit and advance move over, and only the
   * difference to its deposit is charged.
   * @throws {ForbiddenError} The agreement was never ACTIVE or is COMPLETED, or the user is a tenant.
   * @throws {ValidationError} A field is not valid, or the next term is drawn up already.
   * @example
   * const draft = await kiraya.agreements.renew(7, { tenure_in_months: 12 })
   */
  renew: (id: RecordId, change: RenewInput = {}, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/renew`, change, options),

  /**
   * Starts the signing of one party, or returns the open one. The party signs at `signing_url` until
   * `expires_at`.
   * @throws {ForbiddenError} The agreement cannot be signed, or the signer is not a party to it.
   * @throws {ValidationError} The signer has signed already, or the unit has another agreement for that
   * time.
   * @throws {ServerError} The signing provider is unreachable; the agreement is unchanged.
   * @example
   * const { signing_url, expires_at } = await kiraya.agreements.sign(7, { signer_id: 12 })
   */
  sign: (id: RecordId, sign: SignInput, options?: CallOptions) =>
    http.post<StartedSigning>(path`agreements/${id}/sign`, sign, options),

  /**
   * Makes a DRAFT that all parties signed on paper ACTIVE at once, or ended if its tenure is over. `withResponse` adds
   * the warnings. Until a tenant accepts it, it is no consent of theirs.
   * @throws {ForbiddenError} The agreement is not a DRAFT, or the user is a tenant.
   * @throws {ValidationError} The day lies ahead, or the unit has another agreement for that time.
   * @example
   * const lease = await kiraya.agreements.record(7, { signed_on: '2024-04-01', registration_number: 'BLR-1234/2024' })
   */
  record: (id: RecordId, record: RecordInput, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/record`, record, options),

  /**
   * Accepts, as a tenant, a lease that the landlord recorded as signed on paper.
   * @throws {ForbiddenError} The user is no tenant of it.
   * @throws {ValidationError} The agreement was not recorded.
   * @example
   * await kiraya.agreements.accept(7)
   */
  accept: (id: RecordId, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/acceptance`, {}, options),

  /**
   * Objects, as a tenant, to a lease as the landlord recorded it. Until it is withdrawn, the lease has a warning.
   * @throws {ForbiddenError} The user is no tenant of it.
   * @throws {ValidationError} The agreement was not recorded, or the user objects already.
   * @example
   * await kiraya.agreements.object(7, { reason: 'The deposit was 50,000, not 1,00,000' })
   */
  object: (id: RecordId, objection: ObjectionInput, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/objection`, objection, options),

  /**
   * Withdraws the user's objection.
   * @throws {NotFoundError} The user does not object.
   * @example
   * await kiraya.agreements.withdrawObjection(7)
   */
  withdrawObjection: (id: RecordId, options?: CallOptions) =>
    http.delete<Agreement>(path`agreements/${id}/objection`, options),

  /**
   * Returns the latest signature of each party; `allSigned` is true when every required party has signed.
   * @example
   * const { signatures, allSigned } = await kiraya.agreements.signatures(7)
   */
  signatures: (id: RecordId, options?: CallOptions) =>
    http.get<Signatures>(path`agreements/${id}/signatures`, options),

  /**
   * Cancels one party's open signature and returns it. Other signatures stay, and the party can be asked
   * again.
   * @throws {ValidationError} The signature is signed, declined or expired.
   * @example
   * const { signatures } = await kiraya.agreements.signatures(7)
   * const open = signatures.find(({ status }) => status === 'pending')
   * if (open) await kiraya.agreements.cancelSignature(7, open.signature_id)
   */
  cancelSignature: (id: RecordId, signatureId: RecordId, options?: CallOptions) =>
    http.post<CancelledSignature>(path`agreements/${id}/signatures/${signatureId}/cancel`, {}, options),

  /**
   * Refuses to sign as a party who has not signed, and returns the refusal. The user's open requests are
   * cancelled. A tenant who declines a DRAFT has to be replaced in it before anyone can sign.
   * @throws {ValidationError} The user has signed already.
   * @throws {ForbiddenError} The agreement can no longer be signed, or the user is not a party to it.
   * @example
   * await kiraya.agreements.decline(7, { reason: 'The rent is too high' })
   */
  decline: (id: RecordId, decline: DeclineInput = {}, options?: CallOptions) =>
    http.post<DeclinedSignature>(path`agreements/${id}/decline`, decline, options),

  /**
   * Returns the entries in order; `intact` is false if any was changed or removed.
   * @example
   * const { entries, intact } = await kiraya.agreements.timeline(7)
   */
  timeline: (id: RecordId, options?: CallOptions) =>
    http.get<Timeline>(path`agreements/${id}/timeline`, options),

  /**
   * Returns the bytes of the signed PDF, at most 10 MiB: for the given signature, or for the last one.
   * @throws {NotFoundError} The agreement was never ACTIVE.
   * @throws {ServerError} The provider cannot deliver the document now.
   * @example
   * const pdf = await kiraya.agreements.document(7)
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  document: (id: RecordId, query?: DocumentQuery, options?: CallOptions) =>
    http.getFile(path`agreements/${id}/document`, options, query),

  /**
   * Returns the bytes of the certificate of completion, a PDF with the parties, times, hashes and provider
   * ids. It states what was signed, whatever changed since.
   * @throws {NotFoundError} The agreement was never ACTIVE.
   * @throws {ServerError} The provider cannot deliver a signed document now.
   * @example
   * const pdf = await kiraya.agreements.certificate(7)
   * const file = new Blob([pdf], { type: 'application/pdf' })
   */
  certificate: (id: RecordId, options?: CallOptions) =>
    http.getFile(path`agreements/${id}/certificate`, options),

  /**
   * Ends a lease, or its signing, today (Asia/Kolkata) or on an earlier date since its start, and returns the
   * agreement. With `void`, a lease on paper that was recorded wrongly is taken back: it is in no report.
   * @throws {ValidationError} The date is after today or before the start of the agreement, or money was posted under
   * a lease to be void.
   * @throws {ForbiddenError} The agreement is neither PENDING nor ACTIVE.
   * @example
   * await kiraya.agreements.terminate(7, { termination_date: '2027-03-31', reason: 'Moved out' })
   */
  terminate: (id: RecordId, terminate: TerminateInput = {}, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/terminate`, terminate, options),

  /**
   * Undoes the termination of a lease within 30 days, and returns the agreement. In the first 24 hours the landlord's side
   * may alone; later once a tenant calls this too, in either order, or with what they accepted on paper.
   * @throws {ValidationError} It can no longer go on: too late, renewed, settled, or the unit is let.
   * @throws {ForbiddenError} The agreement is not TERMINATED.
   * @example
   * const { status } = await kiraya.agreements.reinstate(7)
   */
  reinstate: (id: RecordId, reinstate: AcceptanceInput = {}, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/reinstate`, reinstate, options),

  /**
   * Closes a terminated agreement for good and returns it.
   * @throws {ForbiddenError} The agreement is not TERMINATED.
   * @example
   * const { status } = await kiraya.agreements.complete(7)
   */
  complete: (id: RecordId, options?: CallOptions) =>
    http.post<Agreement>(path`agreements/${id}/complete`, {}, options),
})
