import { sql } from 'kysely'
import type { Db } from '../../db/database'
import type { RollTenant } from '@kiraya/sdk/contract'
import { selectManagedAgreements } from '../agreements/queries'
import type { UserIdExpression } from '../http/authentication'

/** Selects the ids of the agreements of which a user is the landlord or manages the unit, as `mine`. */
export const withMine = (db: Db, userId: UserIdExpression) =>
  sql`mine as materialized (select found.id from ${selectManagedAgreements(db, userId).as('found')})`

/** The tenants of an agreement `a`; all of them have signed, since it has books. */
export const tenants = sql<RollTenant[]>`(
  select coalesce(json_agg(json_build_object(
    'id', person.id, 'name', nullif(concat_ws(' ', person.first_name, person.last_name), '')
  ) order by t.id), '[]')
  from agreement_tenants t join users person on person.id = t.tenant_id where t.agreement_id = a.id
)`

export const outstanding = sql`(c.amount - c.amount_paid - c.amount_credited)`
