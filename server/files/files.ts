import { sql } from 'kysely'
import { executeCompiled } from '../../db/compiled-queries'
import { SQL_TRUE, type Db, type EntityManager } from '../../db/database'
import { toSha256 } from '../domain/sha256'
import { refuse } from '../errors'
import type { FileStore, StoredFile } from './store'

const MAX_GIB = 1
const GIB = 1024 ** 3

type Tx = { em: EntityManager; files: FileStore; now: () => Date }

/**
 * Stores a file of a landlord for a record of the same transaction, and returns its SHA-256.
 * @throws BAD_REQUEST The landlord's files have as many bytes as one may store.
 */
export async function storeFile(
  { em, files, now }: Tx,
  file: Omit<StoredFile, 'sha256' | 'created_at'>,
): Promise<string> {
  const { landlord_id, content } = file
  const sha256 = toSha256(content)
  await lockFiles(em, landlord_id)
  const [others] = await executeCompiled(em, selectSize, { landlord_id, sha256 })
  if (Number(others!.bytes) + content.length > MAX_GIB * GIB) throw refuse('storage_full', { gib: MAX_GIB })
  await files.put(em, { ...file, sha256, created_at: now() })
  return sha256
}

/** Deletes the files of a landlord that no record has any more; the caller has flushed what it changed. */
export async function deleteUnusedFiles({ em, files }: Omit<Tx, 'now'>, landlord_id: number) {
  await lockFiles(em, landlord_id)
  for (const { sha256 } of await executeCompiled(em, selectUnused, { landlord_id }))
    await files.delete(em, { landlord_id, sha256 })
}

/** A file that one change takes into use must not be unused for another. It is the last lock of a transaction. */
async function lockFiles(em: EntityManager, landlord_id: number) {
  await executeCompiled(em, takeFileLock, { landlord_id })
}

const takeFileLock = (_: Db, { landlord_id }: { landlord_id: number }) =>
  sql<object>`select pg_advisory_xact_lock(hashtext('stored_files'), ${landlord_id})`

function selectSize(db: Db, { landlord_id, sha256 }: { landlord_id: number; sha256: string }) {
  return db
    .selectFrom('stored_files')
    .where('landlord_id', '=', landlord_id)
    .where('sha256', '<>', sha256)
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
}

function selectUnused(db: Db, { landlord_id }: { landlord_id: number }) {
  const users = db
    .selectFrom('agreements as a')
    .where('a.landlord_id', '=', landlord_id)
    .where('a.document_sha256', '=', sql.ref<string>('file.sha256'))
    .where('a.is_active', '=', SQL_TRUE)
    .select('a.id')
  return db
    .selectFrom('stored_files as file')
    .where('file.landlord_id', '=', landlord_id)
    .where(e => e.not(e.exists(users)))
    .orderBy('file.sha256')
    .select('file.sha256')
}
