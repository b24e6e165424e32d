import { availableParallelism } from 'node:os'
import { startPostgres } from '../../db/embedded-postgres'

// One PostgreSQL for the whole run, on the tests' own data; it stops when no other run uses it.
const root = `${import.meta.dir}/../..`
const cluster = await startPostgres(process.env.DATA_DIR ?? `${root}/.data`, 'test')

// Most of a short round is waiting, for outages and timeouts, so several files share a processor; the longest start first.
// A worker keeps its modules: to load the server anew for each file costs more than many tests.
// Full rounds measure, which needs the machine to itself.
const isFull = process.env.FAULTS === 'full'
const shared = [
  `--parallel=${Math.ceil(2.5 * availableParallelism())}`,
  '--no-isolate',
  '--timings=.ci/timings.json',
]
const workers = isFull ? [] : shared

const tests = Bun.spawn([process.execPath, 'test', '--timeout=60000', ...workers, ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
const status = await tests.exited
await cluster.release()
process.exit(status)
