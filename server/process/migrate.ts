import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { migrate, printBaseline } from '../../db/migrate'
import { openDatabase } from '../../db/database'
import { UnsuitableDatabase, requireSuitablePostgres } from '../../db/version'
import { readConfig } from '../config'
import { LoggableError, toErrorText } from '../observability/safe-errors'
import { providePostgres } from './postgres'

const BASELINE = `${import.meta.dir}/../../db/migrations/0001-baseline.sql`

// Runs the migrations. `--create` prints the SQL of a new one: what the database lacks of the entities. `--baseline`
// writes the baseline from the entities, and runs nothing.
try {
  const { create = false, baseline } = parseArgs({
    options: { create: { type: 'boolean' }, baseline: { type: 'boolean' } },
    // As a command of the server, its name comes first.
    allowPositionals: true,
  }).values
  await (baseline ? writeBaseline() : runMigrations(create))
} catch (error) {
  const isOurs = error instanceof LoggableError || error instanceof UnsuitableDatabase
  process.stderr.write(`Kiraya cannot migrate: ${isOurs ? error.message : toErrorText(error)}\n`)
  process.exitCode = 1
}

async function writeBaseline() {
  if (!existsSync(BASELINE)) throw new LoggableError('only a checkout of the sources has a baseline to write')
  await Bun.write(BASELINE, await printBaseline())
  process.stdout.write('Written: db/migrations/0001-baseline.sql\n')
}

async function runMigrations(isNew: boolean) {
  const config = readConfig(process.env)
  const { url, embedded } = await providePostgres(config)
  const database = openDatabase(url)
  try {
    await requireSuitablePostgres(database)
    const done = await migrate(database)
    process.stdout.write(done.length ? `Done: ${done.join(', ')}\n` : 'The database is as it should be\n')
    if (isNew) {
      const difference = await database.orm.schema.getUpdateSchemaSQL({ wrap: false })
      process.stdout.write(difference || 'The entities have not changed\n')
    }
  } finally {
    await database.close()
    await embedded?.release()
  }
}
