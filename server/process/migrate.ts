import { parseArgs } from 'node:util'
import { migrate } from '../../db/migrate'
import { createMigration } from '../../db/migrations/create'
import { openDatabase } from '../../db/database'
import { UnsuitableDatabase, requirePostgresVersion } from '../../db/version'
import { readConfig } from '../config'
import { LoggableError, toErrorText } from '../observability/safe-errors'
import { providePostgres } from './postgres'

// Runs the migrations, all or up or down to `--to`. `--create` writes a new one from the changed entities.
try {
  const { to, create } = parseArgs({
    options: { to: { type: 'string' }, create: { type: 'string' } },
    // As a command of the server, its name comes first.
    allowPositionals: true,
  }).values
  await runMigrations(to, create)
} catch (error) {
  const isOurs = error instanceof LoggableError || error instanceof UnsuitableDatabase
  process.stderr.write(`Kiraya cannot migrate: ${isOurs ? error.message : toErrorText(error)}\n`)
  process.exitCode = 1
}

async function runMigrations(to?: string, newName?: string) {
  const config = readConfig(process.env)
  const { url, embedded } = await providePostgres(config)
  const database = openDatabase(url)
  try {
    await requirePostgresVersion(database)
    const done = await migrate(database, to)
    process.stdout.write(done.length ? `Done: ${done.join(', ')}\n` : 'The database is as it should be\n')
    if (newName) {
      const file = await createMigration(newName, await database.orm.schema.getUpdateSchemaSQL())
      process.stdout.write(
        file ? `Created ${file}; add it to db/migrations/index.ts\n` : 'The entities have not changed\n',
      )
    }
  } finally {
    await database.close()
    await embedded?.release()
  }
}
