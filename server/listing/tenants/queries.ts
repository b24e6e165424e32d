import { sql } from 'kysely'
import { Tenant as TenantView, type TenantQuery } from '@kiraya/sdk/contract'
import { anyIdIn, type Db } from '../../../db/database'
import { hasCompletedProfile, isErasedPhone } from '../../accounts/auth/queries'
import { hasConsented } from '../../domain/consent'
import { toColumns } from '../../domain/fields'
import { containsText } from '../../domain/query'
import type { UserId } from '../../http/reads/reader'
import { selectManagedAgreements } from '../visibility'

const isNamed = sql<boolean>`contact.tenant_id is not null`
const hasSigned = sql<boolean>`bool_or(listed.has_signed)`
const showsOwnName = sql<boolean>`(${hasSigned} and ${hasCompletedProfile('person')})`

/** The person's own name once they have signed or accepted it, before that the one that the caller gave. */
const toShownName = (column: 'first_name' | 'last_name') => sql<string | null>`case
  when ${showsOwnName} then ${sql.ref(`person.${column}`)} else ${sql.ref(`contact.${column}`)}
end`

/** A draft can name any user: phone and names appear only if the caller gave them or the tenant signed. */
const tenantColumns = toColumns('users as person', TenantView, {
  phone: sql<string | null>`case
    when (${isNamed} or ${hasSigned}) and not ${isErasedPhone('person.phone')} then person.phone
  end`,
  first_name: toShownName('first_name'),
  last_name: toShownName('last_name'),
})

const fullName = sql`concat_ws(' ', tenant.first_name, tenant.last_name)`

/** Selects the tenants of the agreements of which a user is the landlord or the manager, and those they named. */
export function selectTenantPage(db: Db, userId: UserId, { q }: TenantQuery) {
  const tenants = db
    .selectFrom(selectTenants(db, userId).as('tenant'))
    .select(['tenant.id', 'tenant.user_id', 'tenant.phone', 'tenant.first_name', 'tenant.last_name'])
  return q === undefined ? tenants : tenants.where(containsText(q, sql`tenant.phone`, fullName))
}

/** Selects the names under which a user is shown people with some numbers. */
export function selectShownNames(db: Db, { userId, phones }: { userId: number; phones: string[] }) {
  return db
    .selectFrom(selectTenants(db, sql`${userId}::int`).as('tenant'))
    .where(e => e('tenant.phone', '=', e.fn.any(e.val(phones))))
    .select(['tenant.phone', 'tenant.first_name', 'tenant.last_name'])
}

function selectTenants(db: Db, userId: UserId) {
  const people = selectAgreementTenants(db, userId).unionAll(selectNamedPeople(db, userId))
  return db
    .selectFrom(people.as('listed'))
    .innerJoin('users as person', 'person.id', 'listed.tenant_id')
    .leftJoin('tenant_contacts as contact', join =>
      join.on('contact.landlord_id', '=', userId).onRef('contact.tenant_id', '=', 'listed.tenant_id'),
    )
    .groupBy(['person.id', 'contact.landlord_id', 'contact.tenant_id'])
    .select(tenantColumns)
}

function selectAgreementTenants(db: Db, userId: UserId) {
  return db
    .selectFrom('agreements as a')
    .innerJoin('agreement_tenants as t', 't.agreement_id', 'a.id')
    .where('a.id', '=', anyIdIn(selectManagedAgreements(db, userId)))
    .select(['t.tenant_id', hasConsented(sql.ref('a.id'), sql.ref('t.tenant_id')).as('has_signed')])
}

function selectNamedPeople(db: Db, userId: UserId) {
  return db
    .selectFrom('tenant_contacts as named')
    .where('named.landlord_id', '=', userId)
    .select(['named.tenant_id', sql<boolean>`false`.as('has_signed')])
}
