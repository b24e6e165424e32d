import { startEmbedded } from '../db/embedded'
import { migrate, openDatabase } from '../db/orm'
import { readConfig } from './config'
import { Reason, reasonOf } from './reasons'

// Brings the database up to date without serving anybody.
try {
  await bringUpToDate()
} catch (error) {
  process.stderr.write(`Kiraya cannot migrate: ${error instanceof Reason ? error.message : reasonOf(error)}\n`)
  process.exitCode = 1
}

async function bringUpToDate() {
  const config = readConfig(process.env)
  const embedded = config.DATABASE_URL ? undefined : await startEmbedded(config.DATA_DIR)
  const orm = openDatabase(config.DATABASE_URL ?? embedded!.url)
  try {
    const pending = await orm.migrator.getPending()
    await migrate(orm)
    process.stdout.write(pending.length ? `Applied ${pending.map(({ name }) => name).join(', ')}\n` : 'The database is up to date\n')
  } finally {
    await orm.close()
    await embedded?.release()
  }
}
