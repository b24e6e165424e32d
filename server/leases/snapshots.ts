import { sql, type InferResult } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import type { Database, Db, EntityManager } from '../../db/database'
import type { Agreement } from '../../db/entities'
import { toJsonText } from '../../db/json-text'
import { hasCompletedProfile } from '../accounts/auth/queries'
import { toSha256 } from '../domain/sha256'
import { LoggableError } from '../observability/safe-errors'
import { unitPropertyName } from '../listing/properties/queries'

// What the parties agreed on does not change when records do. The first request to sign fixes the lease, each
// signature the name of its signer: the entry keeps a snapshot, and its hash covers the snapshot's SHA-256.

type SignedTerms = Pick<
  Agreement,
  'agreement_start_date' | 'agreement_end_date' | 'tenure_in_months' | 'rent_amount' | 'deposit_amount'
>
type Lease = { terms: SignedTerms; premises: Premises }
export type Premises = Omit<InferResult<ReturnType<typeof selectPremises>>[number], 'id'>
/** The names are by user id; null is none. */
type Names = Record<string, string | null>
/** What one entry fixes, or all entries of an agreement together. */
type Snapshot = { lease?: Lease; names: Names }

/** Takes the snapshot of a lease that is sent for the first signature, with the landlord's name. */
export async function takeLeaseSnapshot(em: EntityManager, agreement: Agreement) {
  const [snapshot] = await takeLeaseSnapshots(em, [agreement])
  return snapshot!
}

/** Takes those of leases of one landlord. */
export async function takeLeaseSnapshots(em: EntityManager, agreements: Agreement[]) {
  const unitIds = agreements.map(({ property_unit_id }) => property_unit_id)
  const units = await executeCompiled(em, selectPremises, { unitIds })
  const premises = new Map(units.map(({ id, ...rest }) => [id, rest]))
  const names = await loadNames(em, agreements[0]!, [agreements[0]!.landlord_id])
  return agreements.map(agreement => {
    const lease = { terms: toSignedTerms(agreement), premises: premises.get(agreement.property_unit_id)! }
    return toSnapshotText({ lease, names })
  })
}

/** Takes the snapshot of the name under which a party signs. */
export async function takeNameSnapshot(em: EntityManager, agreement: Agreement, signerId: number) {
  return toSnapshotText({ names: await loadNames(em, agreement, [signerId]) })
}

/** The salt keeps erased names from being guessed by the hash, which stays in the timeline. */
function toSnapshotText(snapshot: Snapshot) {
  return toJsonText({ salt: crypto.randomUUID(), ...snapshot })
}

function toSignedTerms(agreement: Agreement): SignedTerms {
  const { agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, deposit_amount } =
    agreement
  return { agreement_start_date, agreement_end_date, tenure_in_months, rent_amount, deposit_amount }
}

/** In a building of another landlord, the alias is that landlord's own affair. */
export function selectPremises(db: Db, { unitIds }: { unitIds: number[] }) {
  return db
    .selectFrom('property_units as u')
    .innerJoin('properties as p', 'p.id', 'u.property_id')
    .where(e => e('u.id', '=', e.fn.any(e.val(unitIds))))
    .select(['u.id', 'u.unit_name', 'p.society_building', 'p.survey_number'])
    .select(['p.road_name', 'p.locality', 'p.landmark'])
    .select(['p.city', 'p.district', 'p.state', 'p.pin_code', 'p.country'])
    .select(unitPropertyName.as('alias_name'))
}

/** Loads the own names of users who sign; the landlord's for one who never completed the profile. */
export async function loadNames(
  of: EntityManager | Database,
  { landlord_id }: Pick<Agreement, 'landlord_id'>,
  ids: number[],
): Promise<Names> {
  const names = await executeCompiled(of, selectNames, { ids, landlordId: landlord_id })
  return Object.fromEntries(names.map(({ id, name }) => [id, name]))
}

function selectNames(db: Db, { ids, landlordId }: { ids: number[]; landlordId: number }) {
  return db
    .selectFrom('users as u')
    .leftJoin('tenant_contacts as contact', join =>
      join.on('contact.landlord_id', '=', landlordId).onRef('contact.tenant_id', '=', 'u.id'),
    )
    .where(e => e('u.id', '=', e.fn.any(e.val(ids))))
    .select([
      'u.id',
      sql<string | null>`nullif(case
        when ${hasCompletedProfile('u')} then concat_ws(' ', u.first_name, u.last_name)
        else concat_ws(' ', contact.first_name, contact.last_name)
      end, '')`.as('name'),
    ])
}

/** Finds what was fixed first of the lease, and last of each name. */
export async function findSnapshots(of: EntityManager | Database, agreementId: number) {
  const entries = await executeCompiled(of, selectSnapshots, { agreementId })
  const snapshots = entries.map(parseSnapshot)
  const names: Names = Object.assign({}, ...snapshots.map(snapshot => snapshot.names))
  return { lease: snapshots.find(({ lease }) => lease)?.lease, names }
}

function selectSnapshots(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('timeline_entries')
    .where('agreement_id', '=', agreementId)
    .where('snapshot', 'is not', null)
    .orderBy('position')
    .select(['snapshot', sql<string>`details ->> 'snapshot_sha256'`.as('sha256')])
}

function parseSnapshot({ snapshot, sha256 }: { snapshot: string | null; sha256: string }): Snapshot {
  if (toSha256(snapshot!) !== sha256) throw new LoggableError('A snapshot of an agreement was changed')
  return JSON.parse(snapshot!)
}
