import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../db/embedded-postgres'
import { describeUnseen } from './seen-answers'

// `short` runs all files but those below test/full, `full` those too, and then test/full; both take paths and flags.

const FULL = 'test/full'
const root = join(import.meta.dir, '../..')
const [tier, ...args] = process.argv.slice(2)

// One PostgreSQL for the whole run, on the tests' own data; it stops when no other run uses it.
const cluster = await startPostgres(process.env.DATA_DIR ?? join(root, '.data'), 'tests')
let running: Bun.Subprocess | undefined
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    isStopping = true
    running?.kill(signal)
  })

const status = tier === 'full' ? await runFull() : await runShort(args)
await dropLeftDatabases()
await cluster.release()
process.exit(status)

/** Several files share a processor, and a worker keeps its modules: to load the server again costs more than many tests. */
function runShort(given: string[], env: Record<string, string> = {}) {
  const flags = [`--parallel=${Math.ceil(2.5 * availableParallelism())}`, '--no-isolate']
  const isFullNamed = given.some(arg => arg.startsWith(FULL))
  return runTests([...flags, ...(isFullNamed ? [] : [`--path-ignore-patterns=${FULL}/**`]), ...given], env)
}

/** Full rounds measure, which needs the machine to itself. Without a path they follow the short ones. */
async function runFull() {
  const hasPath = args.some(arg => arg.includes('test/'))
  const full = ['--timeout=300000', ...(hasPath ? args : [FULL, ...args])]
  if (args.length > 0) return runTests(full, { TIER: 'full' })

  const ANSWERS = await mkdtemp(join(tmpdir(), 'kiraya-answers-'))
  const statuses = [await runShort([], { ANSWERS }), await runTests(full, { ANSWERS, TIER: 'full' })]
  console.log(describeUnseen(ANSWERS))
  await rm(ANSWERS, { recursive: true })
  return Math.max(...statuses)
}

/** The runner and what it has started end with this process, even if that is killed. */
async function runTests(given: string[], env: Record<string, string>) {
  if (isStopping) return 1
  running = Bun.spawn([process.execPath, '--no-orphans', 'test', '--timeout=60000', ...given], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  return running.exited
}

/** A worker that was killed leaves its databases, which are named after it. */
async function dropLeftDatabases() {
  await using sql = new Bun.SQL({
    path: `${cluster.socket}/.s.PGSQL.5432`,
    username: 'kiraya',
    database: 'postgres',
    max: 1,
  })
  const databases: { name: string }[] =
    await sql`select datname as name from pg_database where datname ~ '^(test|warm)_[0-9]+_'`
  for (const { name } of databases)
    if (!isAlive(Number(name.split('_')[1]))) await sql.unsafe(`drop database "${name}" with (force)`)
}

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
