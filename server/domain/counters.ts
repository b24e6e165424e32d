import { sql } from 'kysely'
import type { Db } from '../../db/database'

type Series = { landlordId: number; period: number | string; count: number }

/** Counts so many numbers of a landlord in a period. A transaction that fails gives its number back: no gaps. */
export const createCounter =
  (table: 'agreement_counters' | 'receipt_counters', periodColumn: 'year' | 'fiscal_year') =>
  (_: Db, { landlordId, period, count }: Series) =>
    sql<{ last_number: number }>`
    insert into ${sql.table(table)} as counter (landlord_id, ${sql.ref(periodColumn)}, last_number)
    values (${landlordId}, ${period}, ${count}::int)
    on conflict (landlord_id, ${sql.ref(periodColumn)}) do update set last_number = counter.last_number + excluded.last_number
    returning last_number`
