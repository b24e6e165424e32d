import { sql } from 'kysely'
import type { EraseInput } from '@kiraya/sdk/contract'
import { Agreement, AgreementSignature } from '../../db/entities/index'
import { query } from '../../db/orm'
import { records } from '../../db/records'
import { transact, type Transaction } from '../../db/records'
import { generateCertificate } from '../agreements/certificate'
import { storeSignedDocument } from '../agreements/signed-documents'
import { consumeOtp } from '../auth/otp'
import type { Deps } from '../deps'
import { badRequest, unavailable } from '../faults'
import type { Actor } from '../http/authentication'
import { getSqlState } from '../../db/database-errors'
import {
  anonymizeAgreements,
  anonymizeProperties,
  eraseRelatedRows,
  anonymizeUser,
  storeCertificates,
  type StoredCertificate,
} from './anonymize'
import { isPartyOrManager } from './ownership'
import { toNetworkPrefix } from '../http/client-ip'

const TRIES = 5
const DEADLOCK = '40P01'
const done = { message: 'Your account and your data were erased' }
type Outcome = 'erased' | 'changed meanwhile' | 'wrong otp'

/**
 * Erases a user for good: what signs in, what tells who they are and what they wrote goes, in one transaction. What
 * others signed with them stays, under a number without a name; the certificates are kept as they are at that moment.
 * @throws BAD_REQUEST The one-time password is wrong, or agreements stand against it.
 */
export async function eraseUser(deps: Deps, actor: Actor, { otp }: EraseInput, address: string) {
  let certificates = new Map<number, StoredCertificate>()
  for (let tries = 0; tries < TRIES; tries++) {
    const outcome = await transact(deps.orm, tx => eraseOnce(deps, tx, actor, otp, certificates)).catch(
      (error): Outcome => {
        if (error instanceof Again || getSqlState(error) === DEADLOCK) return 'changed meanwhile'
        throw error
      },
    )
    if (outcome === 'erased') {
      deps.log.audit('user_erased', { user: actor.id, network: toNetworkPrefix(address) })
      return done
    }
    if (outcome === 'wrong otp') {
      // Of two that come at once the second finds its work done.
      const still = await query(deps.orm)
        .selectFrom('users')
        .where('id', '=', actor.id)
        .where('is_active', '=', true)
        .select('id')
        .executeTakeFirst()
      if (!still) return done
      deps.log.audit('erasure_refused', { user: actor.id, network: toNetworkPrefix(address) })
      throw badRequest('The one-time password is wrong or has expired')
    }
    certificates = await evidenceOf(deps, actor)
  }
  throw unavailable('Too much is changing at once')
}

/** A certificate is missing, or something came up while the locks were taken: all is undone, the one-time password's use too. */
class Again extends Error {}

/** Signed PDFs are fetched while they can be, and each certificate is made while it still can tell who signed. */
async function evidenceOf(deps: Deps, { id }: Actor): Promise<Map<number, StoredCertificate>> {
  const db = records(deps.orm)
  const certificates = new Map<number, StoredCertificate>()
  const signed = await query(db)
    .selectFrom('agreements as a')
    .where(isPartyOrManager('a', sql`${id}::int`))
    .where('a.signed_date', 'is not', null)
    .where(e =>
      e.not(
        e.exists(
          e
            .selectFrom('agreement_certificates as kept')
            .where('kept.agreement_id', '=', e.ref('a.id'))
            .select('kept.agreement_id'),
        ),
      ),
    )
    .select('a.id')
    .execute()
  for (const { id: agreement_id } of signed) {
    for (const due of await db.find(AgreementSignature, { agreement_id, document_due_at: { $ne: null } }))
      await storeSignedDocument(deps, due)
    const agreement = await db.findOneOrFail(Agreement, { id: agreement_id }, { filters: false })
    certificates.set(agreement_id, {
      content: await generateCertificate(deps, agreement),
      timeline_length: agreement.timeline_length,
    })
  }
  return certificates
}

/** Locks what is theirs in the order that all keep: properties, units, agreements, signatures, the user. */
async function eraseOnce(
  deps: Deps,
  tx: Transaction,
  { id, phone }: Actor,
  otp: string,
  certificates: Map<number, StoredCertificate>,
): Promise<Outcome> {
  const db = query(tx)
  const me = sql<number>`${id}::int`
  if (!(await consumeOtp(tx, deps.config.acceptedSecrets.JWT_SECRET, phone, otp, deps.now())))
    return 'wrong otp'
  const theirs = {
    properties: () =>
      db.selectFrom('properties as p').where('p.landlord_id', '=', id).select('p.id').orderBy('p.id'),
    units: () =>
      db
        .selectFrom('property_units as u')
        .where(e => e.or([e('u.landlord_id', '=', id), e('u.managed_by_id', '=', id)]))
        .select('u.id')
        .orderBy('u.id'),
    agreements: () =>
      db
        .selectFrom('agreements as a')
        .where(isPartyOrManager('a', me))
        .select(['a.id', 'a.timeline_length', 'a.signed_date'])
        .orderBy('a.id'),
  }
  const properties = await theirs.properties().forUpdate().execute()
  const units = await theirs.units().forUpdate().execute()
  const agreements = await theirs.agreements().forUpdate('a').execute()
  await db
    .selectFrom('agreement_signatures as s')
    .where(e => e('s.agreement_id', '=', e.fn.any(e.val(agreements.map(each => each.id)))))
    .select('s.id')
    .orderBy('s.id')
    .forUpdate()
    .execute()
  const user = await db
    .selectFrom('users')
    .where('id', '=', id)
    .where('is_active', '=', true)
    .select('id')
    .forUpdate()
    .executeTakeFirst()
  if (!user) return 'erased'
  // Nothing new can name the user from here on; what has come since the locks were taken is not locked yet.
  const isNew = async (found: Promise<{ id: number }[]>, locked: { id: number }[]) =>
    (await found).some(each => !locked.some(other => other.id === each.id))
  if (
    (await isNew(theirs.properties().execute(), properties)) ||
    (await isNew(theirs.units().execute(), units)) ||
    (await isNew(theirs.agreements().execute(), agreements))
  )
    throw new Again()

  await requireNothingOpen(tx, deps.now(), id)
  await storeCertificates(tx, deps.now(), agreements, certificates, () => new Again())
  await anonymizeAgreements(tx, deps.now(), id)
  await anonymizeProperties(tx, deps.now(), id)
  await eraseRelatedRows(tx, id, phone)
  await anonymizeUser(tx, deps.now(), id)
  return 'erased'
}

/**
 * A lease that is active or being signed needs both of its sides, and stands against an erasure until it is ended. A
 * manager holds an office that the landlord takes back, unless their own signature is asked for or given for a lease that waits.
 */
async function requireNothingOpen(tx: Transaction, now: Date, id: number) {
  const open = await query(tx)
    .selectFrom('agreements as a')
    .where('a.is_active', '=', true)
    .where(e =>
      e.or([
        e.and([
          e('a.status', 'in', ['PENDING', 'ACTIVE']),
          e.or([
            e('a.landlord_id', '=', id),
            e.exists(
              e
                .selectFrom('agreement_tenants as t')
                .where('t.agreement_id', '=', e.ref('a.id'))
                .where('t.tenant_id', '=', id)
                .select('t.id'),
            ),
          ]),
        ]),
        e.and([
          e('a.status', 'in', ['DRAFT', 'PENDING']),
          e.exists(
            e
              .selectFrom('agreement_signatures as s')
              .where('s.agreement_id', '=', e.ref('a.id'))
              .where('s.signer_id', '=', id)
              .where(s =>
                s.or([
                  s('s.status', '=', 'SIGNED'),
                  s.and([s('s.status', '=', 'PENDING'), s('s.expires_at', '>', now.toISOString())]),
                ]),
              )
              .select('s.id'),
          ),
        ]),
      ]),
    )
    .select(['a.agreement_id', 'a.agreement_number', 'a.status'])
    .orderBy('a.id')
    .execute()
  if (open.length)
    throw badRequest(
      `Agreements stand against it that have to be terminated first: ${open.map(({ agreement_number, status }) => `${agreement_number} (${status})`).join(', ')}`,
      open,
    )
}
