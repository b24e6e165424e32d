import type {
  Agreement,
  AgreementChange,
  AgreementQuery,
  CancelledSignature,
  DeclinedSignature,
  DeclineInput,
  DocumentQuery,
  Message,
  NewAgreement,
  Signatures,
  SignInput,
  StartedSigning,
  TerminateInput,
  Timeline,
} from './contract/index.ts'
import type { HttpClient } from './http-client.ts'
import { iterateItems } from './pagination.ts'
import { path, type RecordId } from './path.ts'

/**
 * Lease agreements and their signing. Amounts are Indian rupees, dates are YYYY-MM-DD. Every method throws a
 * `NotFoundError` for an agreement that the user may not see.
 */
export function createAgreements(http: HttpClient) {
  /** Returns a page of the agreements that the user is a party to or manages. */
  const list = (query?: AgreementQuery) => http.getPage<Agreement>('agreements', query)

  return {
    /**
     * Creates a DRAFT agreement and returns it.
     * @throws {ValidationError} A field is not valid.
     * @throws {NotFoundError} The unit does not exist or belongs to another landlord.
     */
    create: (agreement: NewAgreement) => http.create<Agreement>('agreements', agreement),

    list,

    /** Yields every agreement of the list, page by page. */
    iterate: (query?: AgreementQuery) => iterateItems(list, query),

    /** Returns one agreement. */
    get: (id: RecordId) => http.get<Agreement>(path`agreements/${id}`),

    /**
     * Changes the given fields of a DRAFT and returns it; null clears an optional field.
     * @throws {ForbiddenError} The agreement is not a DRAFT.
     */
    update: (id: RecordId, change: AgreementChange) => http.patch<Agreement>(path`agreements/${id}`, change),

    /**
     * Deletes a DRAFT.
     * @throws {ForbiddenError} The agreement is not a DRAFT.
     */
    delete: (id: RecordId) => http.delete<Message>(path`agreements/${id}`),

    /**
     * Terminates a PENDING agreement and returns a new DRAFT with the same terms and the given changes.
     * @throws {ForbiddenError} The agreement is not PENDING.
     */
    revise: (id: RecordId, change: AgreementChange = {}) =>
      http.create<Agreement>(path`agreements/${id}/revise`, change),

    /**
     * Starts the signing of one party, or returns the open one. The party signs at `signing_url` until
     * `expires_at`.
     * @throws {ForbiddenError} The agreement cannot be signed, or the signer is not a party to it.
     * @throws {ValidationError} The signer has signed already, or the unit has another agreement for that
     * time.
     * @throws {ServerError} The signing provider is unreachable; the agreement is unchanged.
     */
    sign: (id: RecordId, sign: SignInput) => http.create<StartedSigning>(path`agreements/${id}/sign`, sign),

    /**
     * Returns the latest signature of each party; `allSigned` is true when every required party has signed.
     */
    signatures: (id: RecordId) => http.get<Signatures>(path`agreements/${id}/signatures`),

    /**
     * Cancels one party's open signature and returns it. Other signatures stay, and the party can be asked
     * again.
     * @throws {ValidationError} The signature is signed, declined or expired.
     */
    cancelSignature: (id: RecordId, signatureId: RecordId) =>
      http.post<CancelledSignature>(path`agreements/${id}/signatures/${signatureId}/cancel`),

    /**
     * Refuses to sign as a party who has not signed, and returns the refusal. The user's open requests are
     * cancelled. A tenant who declines a DRAFT has to be replaced in it before anyone can sign.
     * @throws {ValidationError} The user has signed already.
     * @throws {ForbiddenError} The agreement can no longer be signed, or the user is not a party to it.
     */
    decline: (id: RecordId, decline: DeclineInput = {}) =>
      http.post<DeclinedSignature>(path`agreements/${id}/decline`, decline),

    /** Returns the events in order; `intact` is false if any was changed or removed. */
    timeline: (id: RecordId) => http.get<Timeline>(path`agreements/${id}/timeline`),

    /**
     * Returns the bytes of the signed PDF, at most 10 MiB: for the given signature, or for the last one.
     * @throws {NotFoundError} The agreement was never ACTIVE.
     * @throws {ServerError} The provider cannot deliver the document now.
     */
    document: (id: RecordId, query?: DocumentQuery) => http.getFile(path`agreements/${id}/document`, query),

    /**
     * Returns the bytes of the certificate of completion, a PDF with the parties, times, hashes and provider
     * ids. It states what was signed, whatever changed since.
     * @throws {NotFoundError} The agreement was never ACTIVE.
     * @throws {ServerError} The provider cannot deliver a signed document now.
     */
    certificate: (id: RecordId) => http.getFile(path`agreements/${id}/certificate`),

    /**
     * Ends a lease, or its signing, today (Asia/Kolkata) or on an earlier date since its start, and returns the
     * agreement.
     * @throws {ValidationError} The date is after today or before the start of the agreement.
     * @throws {ForbiddenError} The agreement is neither PENDING nor ACTIVE.
     */
    terminate: (id: RecordId, terminate: TerminateInput = {}) =>
      http.post<Agreement>(path`agreements/${id}/terminate`, terminate),

    /**
     * Closes a terminated agreement for good and returns it.
     * @throws {ForbiddenError} The agreement is not TERMINATED.
     */
    complete: (id: RecordId) => http.post<Agreement>(path`agreements/${id}/complete`),
  }
}
