import { OnlineMigration } from './online-migration'

/** An index for the late fees of a charge, and for what a revised rent adds to one. */
export class BaseCharges extends OnlineMigration {
  override up() {
    return this.createIndex('charges_base', '"charges" ("base_charge_id") where base_charge_id is not null')
  }

  override async down() {
    await this.runInOneTransaction('drop index if exists "charges_base"')
  }
}
