import { sql } from 'kysely'
import type { Db } from '../../../db/database'
import { AgreementCertificate, type AgreementSignature } from '../../../db/entities'
import type { Deps } from '../../deps'
import { DAY_MS } from '../../domain/durations'
import type { RecordId } from '../../http/record-id'
import { refuse } from '../../errors'
import { makeAlone } from '../../http/reads/file-response'
import type { Reader, UserId } from '../../http/reads/reader'
import { selectVisibleAgreement } from '../queries'
import { storeCertificate } from './certificate'
import { findMissingDocuments, storeSignedDocument } from './signed-documents'

/** After so long a certificate does without a signed PDF that the provider does not return. */
const MAX_WAIT_MS = 30 * DAY_MS

/**
 * Loads the certificate of completion, a PDF; it is made now if none is stored.
 * @throws NOT_FOUND The agreement is not visible, or not signed by all.
 */
export async function loadCertificate(deps: Deps, reader: Reader, id: RecordId) {
  const agreement = await reader.row(selectSignedDate, id, 'agreement_not_found')
  if (!agreement.signed_date) throw refuse('certificate_not_found')

  const certificate = await makeAlone(deps, reader, async () => {
    const stored = await findCertificate(deps, agreement.id)
    if (stored && !agreement.has_changed) return stored
    await storeEvidence(deps, agreement.id)
    return findCertificate(deps, agreement.id)
  })
  return { agreement_number: agreement.agreement_number, content: certificate!.content as Uint8Array }
}

function selectSignedDate(db: Db, userId: UserId, id: RecordId) {
  return selectVisibleAgreement(db, userId, id).select([
    'a.id',
    'a.signed_date',
    'a.agreement_number',
    // What was recorded needs no provider, so its certificate is never late.
    sql<boolean>`a.recorded_on is not null and a.evidence_due_at is not null`.as('has_changed'),
  ])
}

function findCertificate({ db }: Deps, agreementId: number) {
  return db.fork().findOne(AgreementCertificate, { agreement_id: agreementId }, { populate: ['content'] })
}

/**
 * Stores the signed PDFs of an agreement that are not stored yet, and then its certificate.
 * @throws SERVICE_UNAVAILABLE A PDF cannot be downloaded, or there was no time for all.
 */
export async function storeEvidence(deps: Deps, agreementId: number) {
  const deadline = performance.now() + deps.config.PROVIDER_TOTAL_TIMEOUT_MS
  const failures: unknown[] = []
  for (const signature of await findMissingDocuments(deps, agreementId)) {
    if (performance.now() > deadline) throw failures[0] ?? refuse('documents_in_progress')
    try {
      await storeSignedDocument(deps, signature)
    } catch (error) {
      if (!isGivenUp(signature, deps.now())) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  await storeCertificate(deps, agreementId)
}

function isGivenUp({ signed_at }: AgreementSignature, now: Date) {
  return signed_at!.getTime() + MAX_WAIT_MS < now.getTime()
}
