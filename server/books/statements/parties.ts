import { sql } from 'kysely'
import type { Language } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { formatAddress } from '../../leases/lease-labels'
import { findSnapshots, selectNames, selectPremises } from '../../leases/snapshots'
import { isErasedPhone } from '../../accounts/auth/queries'
import type { Deps } from '../../deps'
import type { LeaseNames } from '../../documents/data'
import { toShownName } from '../../documents/names'
import { getWords } from '../../messages'
import { maskPhone } from '../../domain/formats'

/** Whom and what the documents of a lease name, with the ids of the people. */
export type LeaseParties = Omit<LeaseNames, 'tenants'> & {
  agreement_id: string
  landlord_id: number
  tenants: { id: number; name: string }[]
}

const USER = ['User', 'उपयोगकर्ता'] as const

/**
 * Loads names and address as they were signed, and from today's records what was not fixed then. Parties who have
 * not signed stay unnamed.
 */
export async function loadParties(
  { db }: Pick<Deps, 'db'>,
  agreementId: number,
  language: Language,
): Promise<LeaseParties> {
  const [agreement] = await executeCompiled(db, selectParties, { agreementId })
  const { landlord_id, property_unit_id, agreement_number, agreement_id, is_signed, users } = agreement!
  const { lease, names } = await findSnapshots(db, agreementId)
  const ids = users.map(({ id }) => id)
  const known = is_signed ? await executeCompiled(db, selectNames, { ids, landlordId: landlord_id }) : []
  const getName = (id: number) => {
    const phone = users.find(user => user.id === id)?.phone
    const name = names[id] ?? known.find(user => user.id === id)?.name
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
    tenants: ids.filter(id => id !== landlord_id).map(id => ({ id, name: getName(id) })),
    unit_name: premises!.unit_name,
    address: formatAddress(premises!, language),
  }
}

/** The users are the landlord, then the tenants in their order. */
function selectParties(db: Db, { agreementId }: { agreementId: number }) {
  return db
    .selectFrom('agreements as a')
    .where('a.id', '=', agreementId)
    .select(['a.landlord_id', 'a.property_unit_id', 'a.agreement_number', 'a.agreement_id'])
    .select([
      sql<boolean>`a.signed_date is not null`.as('is_signed'),
      sql<{ id: number; phone: string | null }[]>`(
        select json_agg(json_build_object('id', u.id, 'phone',
          case when a.signed_date is not null and not ${isErasedPhone('u.phone')} then u.phone end) order by party.position)
        from (
          select a.landlord_id as id, 0 as position
          union all
          select t.tenant_id, t.id from agreement_tenants t where t.agreement_id = a.id
        ) party join users u on u.id = party.id
      )`.as('users'),
    ])
}
