import { parseArgs } from 'node:util'
import { migrate } from '../../db/migrate'
import { openDatabase } from '../../db/database'
import { UnsuitableDatabase, requirePostgresVersion } from '../../db/version'
import { readConfig } from '../config'
import { LoggableError, toErrorText } from '../observability/safe-errors'
import { providePostgres } from './postgres'

// Runs the migrations. `--create` prints the SQL of a new one: what the database lacks of the entities.
try {
  const { create = false } = parseArgs({
    options: { create: { type: 'boolean' } },
    // As a command of the server, its name comes first.
    allowPositionals: true,
  }).values
  await runMigrations(create)
} catch (error) {
  const isOurs = error instanceof LoggableError || error instanceof UnsuitableDatabase
  process.stderr.write(`Kiraya cannot migrate: ${isOurs ? error.message : toErrorText(error)}\n`)
  process.exitCode = 1
}

async function runMigrations(isNew: boolean) {
  const config = readConfig(process.env)
  const { url, embedded } = await providePostgres(config)
  const database = openDatabase(url)
  try {
    await requirePostgresVersion(database)
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
