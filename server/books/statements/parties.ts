import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { formatAddress } from '../../leases/lease-labels'
import { listObjections, selectPeople, toNaming } from '../../leases/people'
import { findSnapshots, loadNames, selectPremises } from '../../leases/snapshots'
import type { Deps } from '../../deps'
import type { RecordableLease } from '../../documents/data'

/** Whom and what the documents of a lease name, with the ids of the people. */
export type LeaseParties = Omit<RecordableLease, 'tenants'> & {
  agreement_id: string
  landlord_id: number
  tenants: { id: number; name: string }[]
}

/**
 * Loads names and address as they were signed, and from today's records what was not fixed then. Parties who have
 * not signed stay unnamed; of those who have not accepted what was recorded, it is what the landlord says.
 */
export async function loadParties(
  { db }: Pick<Deps, 'db'>,
  agreementId: number,
  language: Language,
): Promise<LeaseParties> {
  const [agreement] = await executeCompiled(db, selectLease, { agreementId })
  const { landlord_id, property_unit_id, agreement_number, agreement_id, recorded } = agreement!
  const people = await executeCompiled(db, selectPeople, { agreementId })
  const { lease, names } = await findSnapshots(db, agreementId)
  const consenting = people.filter(({ has_consented }) => has_consented).map(({ id }) => id)
  const own = await loadNames(db, agreement!, consenting)
  const named = people.map(person => ({ ...person, given_name: own[person.id] ?? person.given_name }))
  const getName = toNaming(named, names, language)
  const [premises] = lease
    ? [lease.premises]
    : await executeCompiled(db, selectPremises, { unitIds: [property_unit_id] })
  return {
    agreement_number,
    agreement_id,
    landlord: getName(landlord_id),
    landlord_id,
    recorded,
    objections: listObjections(people, getName),
    tenants: people.filter(({ role }) => role === 'TENANT').map(({ id }) => ({ id, name: getName(id) })),
    unit_name: premises!.unit_name,
    address: formatAddress(premises!, language),
  }
}

function selectLease(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreements as a')
    .where('a.id', '=', agreementId)
    .select(['a.landlord_id', 'a.property_unit_id', 'a.agreement_number', 'a.agreement_id'])
    .select(
      sql<RecordableLease['recorded']>`case when a.recorded_on is not null then
        json_build_object('signed_on', a.signed_date, 'recorded_on', a.recorded_on, 'voided_on', a.voided_on) end`.as(
        'recorded',
      ),
    )
}
