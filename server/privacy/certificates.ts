import { createHash } from 'node:crypto'
import { executeCompiled } from '../../db/compiled-queries'
import type { Db, EntityManager } from '../../db/database'
import { AgreementCertificate } from '../../db/entities'
import { generateCertificate } from '../agreements/certificate'
import type { Deps } from '../deps'
import { isPartyOrManager, toUserId } from './ownership'

/** A certificate and the number of events that it covers. */
type Certificate = { content: Uint8Array; timeline_length: number }
/** Certificates by the id of their agreement. */
export type Certificates = Map<number, Certificate>

type LockedAgreement = { id: number; timeline_length: number; signed_date: string | null }

/** Generates the missing certificates of a user's signed agreements while records still name the user. */
export async function generateCertificates(deps: Deps, userId: number): Promise<Certificates> {
  const agreements = await executeCompiled(deps.db, selectUncertifiedAgreements, { userId })
  const certificates: Certificates = new Map()
  for (const { id } of agreements) certificates.set(id, await generateCertificate(deps, id))
  return certificates
}

function selectUncertifiedAgreements(db: Db, { userId }: { userId: number }) {
  return db
    .selectFrom('agreements as a')
    .leftJoin('agreement_certificates as certificate', 'certificate.agreement_id', 'a.id')
    .where(isPartyOrManager('a.id', toUserId(userId)))
    .where('a.signed_date', 'is not', null)
    .where('certificate.agreement_id', 'is', null)
    .select('a.id')
}

/**
 * Stores the certificates of locked agreements; the caller flushes.
 * Returns false if one was not generated, or does not cover the current timeline.
 */
export async function storeCertificates(
  em: EntityManager,
  now: Date,
  agreements: LockedAgreement[],
  certificates: Certificates,
) {
  const signed = agreements.filter(agreement => agreement.signed_date !== null)
  const stored = await em.find(AgreementCertificate, { agreement_id: { $in: signed.map(({ id }) => id) } })
  const storedIds = new Set(stored.map(certificate => certificate.agreement_id))

  for (const { id, timeline_length } of signed.filter(agreement => !storedIds.has(agreement.id))) {
    const certificate = certificates.get(id)
    if (certificate?.timeline_length !== timeline_length) return false
    const content = Buffer.from(certificate.content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    em.create(AgreementCertificate, { agreement_id: id, sha256, content, created_at: now })
  }
  return true
}
