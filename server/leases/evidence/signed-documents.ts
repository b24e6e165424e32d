import { sql } from 'kysely'
import type { DocumentQuery } from '@kiraya/sdk/contract'
import { findEntities } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { AgreementSignature, SignedDocument } from '../../../db/entities'
import type { Deps } from '../../deps'
import { refuse } from '../../errors'
import type { RecordId } from '../../http/record-id'
import { toSha256 } from '../../domain/sha256'
import type { Reader, UserId } from '../../http/reads/reader'
import { getSigningProvider } from '../../providers/signing/lookup'
import { loadLockedAgreement, lockAgreementById } from '../access'
import { selectVisibleAgreement } from '../queries'
import { appendEntry } from '../timeline'

/** Finds a signature of each request of an agreement whose signed PDF is not stored, in the order of the requests. */
export async function findMissingDocuments({ db }: Deps, agreementId: number) {
  const signatures = await findEntities(db.fork(), AgreementSignature, selectMissing, { agreementId })
  const byRequest = Map.groupBy(signatures, ({ provider_request_id }) => provider_request_id)
  return [...byRequest.values()].map(([first]) => first!)
}

function selectMissing(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', agreementId)
    .where('status', '=', 'SIGNED')
    .where('provider_request_id', 'is not', null)
    .where(
      sql<boolean>`not exists (
        select from signed_documents stored
        where stored.provider = agreement_signatures.provider
          and stored.provider_request_id = agreement_signatures.provider_request_id
      )`,
    )
    .orderBy('id')
}

/** Downloads the signed PDF of a signature's request and stores it with its SHA-256. */
export async function storeSignedDocument(deps: Deps, signature: AgreementSignature) {
  const request = toRequest(signature)
  const { provider, provider_request_id } = request
  const content = await getSigningProvider(deps, provider).download(provider_request_id)
  await deps.db.transactional(async em => {
    const agreement = await lockAgreementById(em, signature.agreement_id)
    // A job or request beside this one may have stored it.
    if ((await em.count(SignedDocument, request)) > 0) return
    const { agreement_id, signature_id } = signature
    const [sha256, size] = [toSha256(content), content.length]
    em.create(SignedDocument, { ...request, agreement_id, sha256, size, content: Buffer.from(content) })
    const locked = await loadLockedAgreement(em, agreement)
    await appendEntry(em, deps.now(), locked, 'document_stored', null, { signature_id, sha256, size })
  })
}

function toRequest({ provider, provider_request_id }: AgreementSignature) {
  return { provider, provider_request_id: provider_request_id! }
}

/**
 * Loads the signed PDF of a signature, or of the last one. It is downloaded now if it is not stored yet.
 * @throws NOT_FOUND The agreement is not visible, or not signed by all.
 */
export async function loadSignedDocument(
  deps: Deps,
  reader: Reader,
  id: RecordId,
  { signature_id }: DocumentQuery,
) {
  const given = { agreementId: id, signatureId: signature_id }
  const { agreement_number, signed_id } = await reader.row(selectSignedId, given, 'agreement_not_found')
  if (signed_id === null) throw refuse('signed_document_not_found')

  const signature = await deps.db.fork().findOneOrFail(AgreementSignature, signed_id)
  let document = await findDocument(deps, signature)
  if (!document) {
    await storeSignedDocument(deps, signature)
    document = await findDocument(deps, signature)
  }
  return { agreement_number, content: document!.content as Uint8Array, sha256: document!.sha256 }
}

function selectSignedId(
  db: Db,
  userId: UserId,
  { agreementId, signatureId }: { agreementId: RecordId; signatureId: string | undefined },
) {
  return selectVisibleAgreement(db, userId, agreementId).select([
    'a.agreement_number',
    e =>
      db
        .selectFrom('agreement_signatures as s')
        .where('s.agreement_id', '=', e.ref('a.id'))
        .where('s.status', '=', 'SIGNED')
        .where('s.provider_request_id', 'is not', null)
        .where(sql<boolean>`a.signed_date is not null`)
        .$if(signatureId !== undefined, query => query.where('s.signature_id', '=', signatureId!))
        .orderBy('s.signed_at', 'desc')
        .orderBy('s.id', 'desc')
        .limit(1)
        .select('s.id')
        .as('signed_id'),
  ])
}

function findDocument(deps: Deps, signature: AgreementSignature) {
  return deps.db.fork().findOne(SignedDocument, toRequest(signature), { populate: ['content'] })
}
