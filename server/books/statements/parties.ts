import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { formatAddress } from '../../leases/lease-labels'
import { listObjections, selectPeople } from '../../leases/people'
import { findSnapshots, selectNames, selectPremises } from '../../leases/snapshots'
import type { Deps } from '../../deps'
import type { RecordableLease } from '../../documents/data'
import { toShownName } from '../../documents/names'
import { getWords } from '../../messages'
import { maskPhone } from '../../domain/formats'

/** Whom and what the documents of a lease name, with the ids of the people. */
export type LeaseParties = Omit<RecordableLease, 'tenants'> & {
  agreement_id: string
  landlord_id: number
  tenants: { id: number; name: string }[]
}

const USER = ['User', 'उपयोगकर्ता'] as const

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
  const known = await executeCompiled(db, selectNames, { ids: consenting, landlordId: landlord_id })
  const getName = (id: number) => {
    const { phone, given_name } = people.find(person => person.id === id) ?? {}
    const name = names[id] ?? known.find(user => user.id === id)?.name ?? given_name
    if (name) return toShownName(name, phone, language)
    return phone ? maskPhone(phone) : `${getWords(USER, language)} ${id}`
  }
  const [premises] = lease
    ? [lease.premises]
    : await executeCompiled(db, selectPremises, { unitId: property_unit_id })
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
