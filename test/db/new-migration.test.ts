import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrations } from '../../db/migrations'
import { createMigration } from '../../db/migrations/create'

const SCHEMA_DIFF = `set names 'utf8';

create table "notes" ("id" int);
alter table "users"
  add column "note" text;
`

const SOURCE = `import { OnlineMigration } from './online-migration'

export class AddTheNotes2 extends OnlineMigration {
  override async up() {
    await this.runWithShortLock(
      \`create table "notes" ("id" int)\`,
      \`alter table "users"
  add column "note" text\`,
    )
  }

  override async down() {
    throw new Error('AddTheNotes2 cannot be undone yet')
  }
}
`

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), 'kiraya-migration-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

test('a new migration has the next number, a name from its title, and the statements', async () => {
  await using folder = await createFolder()
  const last = Number(migrations.at(-1)!.name.slice(0, 4))
  const number = `${last + 1}`.padStart(4, '0')

  const file = await createMigration('  Add the “notes” 2!', SCHEMA_DIFF, folder.path)

  expect(file).toBe(join(folder.path, `${number}-add-the-notes-2.ts`))
  expect(await Bun.file(file!).text()).toBe(SOURCE)
})

test('there is no new migration if the entities have not changed', async () => {
  await using folder = await createFolder()
  expect(await createMigration('nothing', `set names 'utf8';\n\n`, folder.path)).toBeUndefined()
  expect(await readdir(folder.path)).toEqual([])
})
