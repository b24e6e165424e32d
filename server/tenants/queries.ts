import { sql } from 'kysely'
import type { TenantQuery } from '@kiraya/sdk/contract'
import { anyOf, type Db } from '../../db/orm'
import { selectManagedAgreements } from '../agreements/queries'
import { isErasedPhone } from '../auth/queries'
import { type UserIdExpression } from '../http/authentication'
import { toContainsPattern } from '../domain/query'

/**
 * The tenants of the agreements of which the user is landlord or manager. Anybody's id can be written into a draft,
 * so a number or a name is shown only where the user gave it or the tenant has signed one of these agreements.
 */
export const selectTenantPage = (db: Db, me: UserIdExpression, { q }: TenantQuery) => {
  const theirs = db
    .selectFrom('agreements as a')
    .innerJoin('agreement_tenants as t', 't.agreement_id', 'a.id')
    .where('a.id', '=', anyOf(selectManagedAgreements(db, me)))
  const rows = theirs
    .innerJoin('users as person', 'person.id', 't.tenant_id')
    .leftJoin('tenant_contacts as named', join =>
      join.on('named.landlord_id', '=', me).onRef('named.tenant_id', '=', 't.tenant_id'),
    )
    .leftJoin('agreement_signatures as s', join =>
      join
        .onRef('s.agreement_id', '=', 'a.id')
        .onRef('s.signer_id', '=', 't.tenant_id')
        .on('s.status', '=', 'SIGNED'),
    )
    .groupBy(['person.id', 'named.landlord_id', 'named.tenant_id'])
    .select(e => {
      const signed = sql<boolean>`bool_or(s.id is not null)`
      return [
        'person.id',
        'person.user_id',
        e
          .case()
          .when(e.or([e('named.tenant_id', 'is not', null), signed]))
          .then(
            e
              .case()
              .when(e.not(isErasedPhone('person.phone')))
              .then(e.ref('person.phone'))
              .end(),
          )
          .end()
          .as('phone'),
        e.fn
          .coalesce('named.first_name', e.case().when(signed).then(e.ref('person.first_name')).end())
          .as('first_name'),
        e.fn
          .coalesce('named.last_name', e.case().when(signed).then(e.ref('person.last_name')).end())
          .as('last_name'),
      ]
    })
  return db
    .selectFrom(rows.as('tenant'))
    .select(['tenant.id', 'tenant.user_id', 'tenant.phone', 'tenant.first_name', 'tenant.last_name'])
    .$if(q !== undefined, all =>
      all.where(e =>
        e.or(
          (['phone', 'first_name', 'last_name'] as const).map(name =>
            e(`tenant.${name}`, 'ilike', toContainsPattern(q!)),
          ),
        ),
      ),
    )
}
