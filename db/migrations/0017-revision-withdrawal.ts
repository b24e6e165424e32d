import { OnlineMigration } from './online-migration'

/** A proposed rent may be withdrawn. */
export class RevisionWithdrawal extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(replaceStatusCheck('proposed', 'accepted', 'declined', 'withdrawn'))
    await this.execute(`alter table "rent_revisions" validate constraint "rent_revisions_status_check"`)
    if (!(await this.hasTable('set_aside.rent_revisions_withdrawn'))) return
    await this.runWithShortLock(
      `update "rent_revisions" r set "status" = 'withdrawn' from set_aside.rent_revisions_withdrawn s where s.id = r.id`,
      'drop table set_aside.rent_revisions_withdrawn',
    )
  }

  /** To older code a proposal that was withdrawn is one that was declined: neither can be accepted. */
  override async down() {
    await this.runInOneTransaction(
      'create schema if not exists set_aside',
      'lock table "rent_revisions" in access exclusive mode',
      'create table if not exists set_aside.rent_revisions_withdrawn (id int primary key)',
      `insert into set_aside.rent_revisions_withdrawn select id from "rent_revisions" where "status" = 'withdrawn'`,
      `update "rent_revisions" set "status" = 'declined' where "status" = 'withdrawn'`,
      replaceStatusCheck('proposed', 'accepted', 'declined'),
      'alter table "rent_revisions" validate constraint "rent_revisions_status_check"',
    )
  }
}

function replaceStatusCheck(...statuses: string[]) {
  const list = statuses.map(status => `'${status}'`).join(', ')
  return `alter table "rent_revisions" drop constraint if exists "rent_revisions_status_check", add constraint "rent_revisions_status_check" check ("status" in (${list})) not valid`
}
