import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db, type EntityManager } from '../../db/database'

/** Names a file: each landlord has the same bytes once. */
export type FileKey = { landlord_id: number; sha256: string }
export type StoredFile = FileKey & {
  name: string
  content_type: string
  content: Uint8Array
  created_at: Date
}

/** Where the bytes of stored files are. */
export type FileStore = {
  /** Stores a file in the transaction of its change; one that is there stays as it is. */
  put: (em: EntityManager, file: StoredFile) => Promise<void>
  get: (of: Database | EntityManager, key: FileKey) => Promise<Uint8Array | undefined>
  delete: (em: EntityManager, key: FileKey) => Promise<void>
}

/** Keeps them in the database: as long as the records that have them. */
export const databaseFiles: FileStore = {
  async put(em, { content, ...file }) {
    await getKysely(em)
      .insertInto('stored_files')
      .values({ ...file, size: content.length, content: Buffer.from(content) })
      .onConflict(conflict => conflict.columns(['landlord_id', 'sha256']).doNothing())
      .execute()
  },
  async get(of, key) {
    const [found] = await executeCompiled(of, selectContent, key)
    return found?.content
  },
  async delete(em, key) {
    await executeCompiled(em, deleteFile, key)
  },
}

function selectContent(db: Db, { landlord_id, sha256 }: FileKey) {
  return db
    .selectFrom('stored_files')
    .where('landlord_id', '=', landlord_id)
    .where('sha256', '=', sha256)
    .select('content')
}

function deleteFile(db: Db, { landlord_id, sha256 }: FileKey) {
  return db.deleteFrom('stored_files').where('landlord_id', '=', landlord_id).where('sha256', '=', sha256)
}
