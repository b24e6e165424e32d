import type {
  Agreement,
  AgreementChange,
  AgreementQuery,
  DocumentQuery,
  Message,
  NewAgreement,
  SignInput,
  CancelledSignature,
  Signatures,
  StartedSigning,
  TerminateInput,
  Timeline,
} from './contract'
import type { HttpClient } from './http-client'
import { iterateItems } from './pagination'
import { path, type RecordId } from './path'

/** Lease agreements and their signing. Amounts are rupees, dates YYYY-MM-DD. Every method throws `NotFoundError` for one that the user may not see. */
export function createAgreements(http: HttpClient) {
  /** A page of the agreements that the user is a party of or manages. */
  const list = (query?: AgreementQuery) => http.page<Agreement>('agreements', query)

  return {
    /**
     * Draws up an agreement as a DRAFT.
     * @throws {ValidationError} A field is not valid.
     * @throws {NotFoundError} The unit is absent or somebody else's.
     */
    create: (agreement: NewAgreement) => http.create<Agreement>('agreements', agreement),

    list,

    /** All of them, page by page. */
    iterate: (query?: AgreementQuery) => iterateItems(list, query),

    get: (id: RecordId) => http.get<Agreement>(path`agreements/${id}`),

    /**
     * Withdraws an agreement that is being signed and draws up a new DRAFT with the same terms but for those given.
     * @throws {ForbiddenError} It is not PENDING.
     */
    revise: (id: RecordId, change: AgreementChange = {}) =>
      http.create<Agreement>(path`agreements/${id}/revise`, change),

    /** Who did what when; `intact` is false where an event was changed or taken out. */
    timeline: (id: RecordId) => http.get<Timeline>(path`agreements/${id}/timeline`),

    /**
     * The signed PDF, at most 10 MiB: that of the given signature, else of the last.
     * @throws {NotFoundError} It was never ACTIVE.
     * @throws {ServerError} The provider cannot give it out now.
     */
    document: (id: RecordId, query?: DocumentQuery) => http.file(path`agreements/${id}/document`, query),

    /**
     * The certificate of completion, a PDF with parties, times, hashes and the provider's ids.
     * @throws {NotFoundError} It was never ACTIVE.
     */
    certificate: (id: RecordId) => http.file(path`agreements/${id}/certificate`),

    /** @throws {ForbiddenError} It is not a DRAFT. */
    update: (id: RecordId, change: AgreementChange) => http.patch<Agreement>(path`agreements/${id}`, change),

    /** @throws {ForbiddenError} It is not a DRAFT. */
    delete: (id: RecordId) => http.delete<Message>(path`agreements/${id}`),

    /**
     * Starts the signing of one party, or returns the one that is open; the party signs at `signing_url` until `expires_at`.
     * @throws {ForbiddenError} The agreement cannot be signed, or the signer is no party of it.
     * @throws {ValidationError} The signer has signed already, or the unit has another agreement for that time.
     * @throws {ServerError} The signing provider cannot be reached; the agreement is as it was.
     */
    sign: (id: RecordId, sign: SignInput) => http.create<StartedSigning>(path`agreements/${id}/sign`, sign),

    /** The latest signature of each party; `allSigned` once all who must have signed. */
    signatures: (id: RecordId) => http.get<Signatures>(path`agreements/${id}/signatures`),

    /**
     * Takes one party's open signature back; the others' stay, and the party can be asked again.
     * @throws {ValidationError} It is signed, declined or over already.
     */
    cancelSignature: (id: RecordId, signature: RecordId) =>
      http.post<CancelledSignature>(path`agreements/${id}/signatures/${signature}/cancel`),

    /**
     * Ends a lease, or the signing of one, at once: today in India or on an earlier day.
     * @throws {ForbiddenError} It is neither PENDING nor ACTIVE.
     */
    terminate: (id: RecordId, terminate: TerminateInput = {}) =>
      http.post<Agreement>(path`agreements/${id}/terminate`, terminate),

    /** Closes a terminated agreement for good. @throws {ForbiddenError} It is not TERMINATED. */
    complete: (id: RecordId) => http.post<Agreement>(path`agreements/${id}/complete`),
  }
}
