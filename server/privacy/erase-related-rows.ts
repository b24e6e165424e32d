import { sql } from 'kysely'
import { getKysely, type Db, type EntityManager } from '../../db/database'
import { toUserId } from './ownership'
import { listPersonalTables, type Person } from './tables'

/** Erases a user's rows as `tables` says; what it leaves to do by hand is done here for identity checks. */
export async function eraseRelatedRows(em: EntityManager, userId: number, phone: string) {
  const db = getKysely(em)
  await anonymizeKycRequests(db, userId)
  const person = { id: toUserId(userId), phone: sql<string>`${phone}::text`, phoneHash: sql<string>`null` }
  for (const table of listPersonalTables()) await eraseTable(db, table, person)
}

type NamedTable = ReturnType<typeof listPersonalTables>[number]

async function eraseTable(db: Db, { name, isOwn, atErasure }: NamedTable, person: Person) {
  if (atErasure === 'deleted') await sql`delete from ${sql.table(name)} t where ${isOwn(person)}`.execute(db)
  if (typeof atErasure !== 'object') return
  const columns = atErasure.cleared.map(column => sql`${sql.id(column)} = null`)
  await sql`update ${sql.table(name)} t set ${sql.join(columns)} where ${isOwn(person)}`.execute(db)
}

/** Keeps only the outcome of each check; an open one has failed. */
function anonymizeKycRequests(db: Db, userId: number) {
  return db
    .updateTable('kyc_requests')
    .where('user_id', '=', userId)
    .set({
      status: sql`case when status in ('CREATED', 'KYC_REQUESTED') then 'ERROR' else status end`,
      provider_request_id: null,
      verification_url: null,
      error_code: null,
      error_message: null,
      name: null,
      masked_aadhaar: null,
    })
    .execute()
}
