import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { query } from '../../db/orm'
import type { Transaction } from '../../db/records'
import { toErasedPhone } from '../auth/queries'
import { redactPayload } from './redact-payload'
import { mentionsUser, isRateLimitKeyOfUser } from './ownership'

// What becomes of each table when a user is erased, in the transaction that has locked all of it.

const GONE = 'Erased'
export type StoredCertificate = { content: Uint8Array; timeline_length: number }

/** The certificates of what was ever active, which tell who the parties were; each must be of the timeline as it is now. */
export async function storeCertificates(
  tx: Transaction,
  now: Date,
  agreements: { id: number; timeline_length: number; signed_date: string | null }[],
  made: Map<number, StoredCertificate>,
  again: () => Error,
) {
  const kept = new Set(
    (
      await query(tx)
        .selectFrom('agreement_certificates')
        .where(e => e('agreement_id', '=', e.fn.any(e.val(agreements.map(({ id }) => id)))))
        .select('agreement_id')
        .execute()
    ).map(({ agreement_id }) => agreement_id),
  )
  for (const { id, timeline_length } of agreements.filter(
    each => each.signed_date !== null && !kept.has(each.id),
  )) {
    const certificate = made.get(id)
    if (certificate?.timeline_length !== timeline_length) throw again()
    const content = Buffer.from(certificate.content)
    const sha256 = createHash('sha256').update(content).digest('hex')
    await query(tx)
      .insertInto('agreement_certificates')
      .values({ agreement_id: id, sha256, content, created_at: now })
      .execute()
  }
}

/** Drafts go; of their agreements that nobody signed what was written goes. What somebody signed is evidence and stays. */
export async function anonymizeAgreements(tx: Transaction, now: Date, id: number) {
  const db = query(tx)
  await db
    .updateTable('agreement_signatures')
    .set({ signing_url: null, next_reminder_at: null, updated_at: now })
    .where('signer_id', '=', id)
    .execute()
  await db
    .updateTable('agreements as a')
    .where('a.landlord_id', '=', id)
    .where(e =>
      e.not(
        e.exists(
          e
            .selectFrom('agreement_signatures as s')
            .where('s.agreement_id', '=', e.ref('a.id'))
            .where('s.status', '=', 'SIGNED')
            .select('s.id'),
        ),
      ),
    )
    .set({
      is_active: sql<boolean>`a.is_active and a.status <> 'DRAFT'`,
      document_url: '',
      amenities: null,
      additional_policies: null,
      improvements: null,
      payment_terms: null,
      updated_at: now,
    })
    .execute()
  await db.updateTable('agreements').where('landlord_id', '=', id).set({ termination_reason: null }).execute()
  await db.deleteFrom('agreement_counters').where('landlord_id', '=', id).execute()
}

/** Their units and properties are deleted and say nothing more; a building in which others have units stays theirs, without the name that the user gave it. Units of others go back to their landlords. */
export async function anonymizeProperties(tx: Transaction, now: Date, id: number) {
  const db = query(tx)
  // Others may have been told of them by name.
  await db
    .deleteFrom('activities as y')
    .where(e =>
      e.or([
        e('y.user_id', '=', id),
        e.and([
          e('y.entity_type', '=', 'property_unit'),
          e('y.entity_id', 'in', db.selectFrom('property_units').where('landlord_id', '=', id).select('id')),
        ]),
        e.and([
          e('y.entity_type', '=', 'property'),
          e('y.entity_id', 'in', db.selectFrom('properties').where('landlord_id', '=', id).select('id')),
        ]),
      ]),
    )
    .execute()
  await db
    .updateTable('property_units')
    .set(e => ({ managed_by_id: e.ref('landlord_id'), updated_at: now }))
    .where('managed_by_id', '=', id)
    .where('landlord_id', '<>', id)
    .execute()
  await db
    .updateTable('property_units')
    .set({
      is_active: false,
      is_available: false,
      unit_name: GONE,
      furniture_included: null,
      unit_notes: null,
      unit_amenities: null,
      updated_at: now,
    })
    .where('landlord_id', '=', id)
    .execute()
  const isShared = sql<boolean>`exists (select from property_units u where u.property_id = p.id and u.is_active)`
  await db
    .updateTable('properties as p')
    .where('p.landlord_id', '=', id)
    .where(isShared)
    .set({ alias_name: sql`coalesce(p.society_building, p.locality, p.city)`, updated_at: now })
    .execute()
  await db
    .updateTable('properties as p')
    .where('p.landlord_id', '=', id)
    .where(e => e.not(isShared))
    .set({
      is_active: false,
      alias_name: GONE,
      society_building: null,
      survey_number: null,
      road_name: null,
      locality: null,
      landmark: null,
      common_amenities: null,
      updated_at: now,
    })
    .execute()
}

/** Identity checks keep what came of them alone; an open one is given up. Webhooks keep what is needed to act on them again. */
export async function eraseRelatedRows(tx: Transaction, id: number, phone: string) {
  const db = query(tx)
  const me = sql<number>`${id}::int`
  const number = sql<string>`${phone}::text`
  await db
    .updateTable('kyc_requests')
    .where('user_id', '=', id)
    .set({
      status: sql`case when status in ('CREATED', 'KYC_REQUESTED') then 'ERROR' else status end`,
      provider_request_id: null,
      verification_url: null,
      error_code: null,
      error_message: null,
      name: null,
      masked_aadhaar: null,
      next_check_at: null,
    })
    .execute()
  await db
    .deleteFrom('tenant_contacts')
    .where(e => e.or([e('landlord_id', '=', id), e('tenant_id', '=', id)]))
    .execute()
  for (const { id: webhook, payload } of await db
    .selectFrom('webhook_deliveries as w')
    .where(mentionsUser(me, number))
    .orderBy('w.id')
    .select(['w.id', 'w.payload'])
    .forUpdate()
    .execute()) {
    await db
      .updateTable('webhook_deliveries')
      .set({ payload: JSON.stringify(redactPayload(payload)) })
      .where('id', '=', webhook)
      .execute()
  }
  await db.deleteFrom('idempotency_keys').where('user_id', '=', id).execute()
  // Whoever named them may ask for the same answer again for a day.
  await db
    .updateTable('idempotency_keys')
    .where(sql<boolean>`answer #>> '{of,tenant,id}' = ${String(id)}`)
    .set({
      answer: sql`jsonb_set(answer, '{of,tenant}', (answer #> '{of,tenant}') || ${JSON.stringify({ phone: toErasedPhone(id), first_name: null, last_name: null })}::text::jsonb)`,
    })
    .execute()
  await db
    .deleteFrom('rate_limits')
    .where(
      'key',
      'in',
      db
        .selectFrom('rate_limits as r')
        .where(isRateLimitKeyOfUser('r.key', me, number))
        .orderBy('r.key')
        .select('r.key')
        .forUpdate(),
    )
    .execute()
  // The sandbox stands in for the providers; what it remembers of people is here.
  await db
    .deleteFrom('sandbox_records')
    .where(sql<boolean>`strpos(data::text, ${phone}) > 0`)
    .execute()
}

/** The row stays for what refers to it, and tells nobody's name. */
export async function anonymizeUser(tx: Transaction, now: Date, id: number) {
  await query(tx).deleteFrom('auth_sessions').where('user_id', '=', id).execute()
  await query(tx)
    .updateTable('users')
    .where('id', '=', id)
    .set({
      phone: toErasedPhone(id),
      first_name: null,
      last_name: null,
      email: null,
      password: null,
      last_login_at: null,
      is_active: false,
      updated_at: now,
    })
    .execute()
}
