import { Migration } from '@mikro-orm/migrations'
import schema from './0001-baseline.sql' with { type: 'text' }

/** The schema of the first release, made in one transaction. */
export class Baseline extends Migration {
  override up() {
    this.addSql(schema)
  }
}
