import { OnlineMigration } from './online-migration'

const TRIGRAMS = 'properties_society_building_trgm'

/** A search compares the names at one PIN code, which the index of PIN codes finds; an index of all names' trigrams made each new property dearer. */
export class Search extends OnlineMigration {
  override async up() {
    await this.execute(`drop index concurrently if exists "${TRIGRAMS}"`)
  }

  override async down() {
    await this.index(TRIGRAMS, '"properties" using gin ("society_building" gin_trgm_ops) where is_active')
  }
}
