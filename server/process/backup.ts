import { dump } from '../../db/backup/dump'
import { restore } from '../../db/backup/restore'
import { readConfig } from '../config'
import { providePostgres } from './postgres'

// Writes the database to a file, or fills an empty one from it.
const [verb, file] = process.argv.slice(2)
const work = verb === 'dump' ? dump : verb === 'restore' ? restore : undefined
if (!work || !file) {
  process.stderr.write('Name a file: dump FILE, or restore FILE\n')
  process.exit(2)
}
const config = readConfig(process.env)
const { url, embedded } = await providePostgres(config)
try {
  const began = performance.now()
  const { tables, rows } = await work(url, file)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const done = verb === 'dump' ? 'Dumped' : 'Restored'
  process.stdout.write(`${done} ${rows} rows of ${tables} tables in ${seconds} s: ${file}\n`)
} catch (error) {
  process.stderr.write(
    `The ${verb} failed, and nothing was changed: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = 1
} finally {
  await embedded?.release()
}
