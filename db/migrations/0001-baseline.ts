import { createHash } from 'node:crypto'
import { Migration } from '@mikro-orm/migrations'
import tables from './0001-baseline.sql' with { type: 'text' }
import triggers from './0001-triggers.sql' with { type: 'text' }

const extensions = `
  create extension if not exists pg_trgm;
  create extension if not exists btree_gist;
`
const schema = extensions + tables + triggers

/** Part of the name: a database that another baseline has created is refused by it. */
export const fingerprint = createHash('sha256').update(schema).digest('hex').slice(0, 12)

/** The schema of the first release, created in one transaction. */
export class Baseline extends Migration {
  override up() {
    this.addSql(schema)
  }
}
