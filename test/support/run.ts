import { startPostgres } from '../../db/embedded-postgres'

// One PostgreSQL for the whole run, on the tests' own data; it is stopped when no other run uses it.
const root = `${import.meta.dir}/../..`
const cluster = await startPostgres(process.env.DATA_DIR ?? `${root}/.data`, 'test')
// What is measured is measured alone.
const together = process.env.FAULTS === 'full' ? [] : ['--parallel']
const tests = Bun.spawn(
  [process.execPath, 'test', '--timeout=60000', ...together, ...process.argv.slice(2)],
  { cwd: root, stdio: ['inherit', 'inherit', 'inherit'] },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
const status = await tests.exited
await cluster.release()
process.exit(status)
