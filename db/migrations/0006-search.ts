import { OnlineMigration } from './online-migration'

const TRIGRAMS = 'properties_society_building_trgm'

/** A search compares names at one PIN code, found by its index. A trigram index only made new properties slower. */
export class Search extends OnlineMigration {
  override async up() {
    await this.execute(`drop index concurrently if exists "${TRIGRAMS}"`)
  }

  override async down() {
    await this.createIndex(
      TRIGRAMS,
      '"properties" using gin ("society_building" gin_trgm_ops) where is_active',
    )
  }
}
