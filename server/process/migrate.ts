import { parseArgs } from 'node:util'
import { startPostgres } from '../../db/embedded-postgres'
import { migrate } from '../../db/migrate'
import { openDatabase } from '../../db/orm'
import { readConfig } from '../config'
import { LoggableError, toErrorText } from '../observability/safe-errors'

// Brings the database up to date, or to a migration that is named, without serving anybody.
try {
  await bringTo(parseArgs({ options: { to: { type: 'string' } } }).values.to)
} catch (error) {
  process.stderr.write(
    `Kiraya cannot migrate: ${error instanceof LoggableError ? error.message : toErrorText(error)}\n`,
  )
  process.exitCode = 1
}

async function bringTo(name: string | undefined) {
  const config = readConfig(process.env)
  const embedded = config.DATABASE_URL ? undefined : await startPostgres(config.DATA_DIR)
  const orm = openDatabase(config.DATABASE_URL ?? embedded!.url)
  try {
    const done = await migrate(orm, name)
    process.stdout.write(done.length ? `Done: ${done.join(', ')}\n` : 'The database is as it should be\n')
  } finally {
    await orm.close()
    await embedded?.release()
  }
}
