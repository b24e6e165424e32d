import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../db/embedded-postgres'
import { getMedian } from './load'
import { findFreePort, root, runtimeEnv, waitUntilReady } from './processes'
import type { StartFigure } from './report'

/** Measures how long starts take and how large the client's bundle is; times are medians. */
export async function measureStarts(times: number): Promise<StartFigure[]> {
  const starts: { firstS: number; againS: number; runningS: number }[] = []
  const helpMs: number[] = []
  for (let n = 0; n < times; n++) {
    starts.push(await measureServerStarts())
    helpMs.push(measureHelpMs())
  }
  const runningS = getMedian(starts.map(start => start.runningS))
  const againS = getMedian(starts.map(start => start.againS))
  const firstS = getMedian(starts.map(start => start.firstS))
  const sdkKb = await measureBundleKb()
  return [
    { what: 'cold start on an existing, running database', value: runningS, unit: 's', bar: 0.5 },
    { what: 'cold start on an existing database, with its PostgreSQL', value: againS, unit: 's', bar: 0.5 },
    { what: 'first start with initdb and migrations', value: firstS, unit: 's', bar: 3 },
    { what: 'SDK bundle, minified and gzipped', value: sdkKb, unit: 'kB', bar: 14 },
    { what: 'CLI --help', value: getMedian(helpMs), unit: 'ms', bar: 80 },
  ]
}

/** Measures a first start, a second one on its data, both with PostgreSQL's own, and one with PostgreSQL running. */
async function measureServerStarts() {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'kiraya-first-'))
  try {
    const firstS = await measureStartS({ DATA_DIR })
    const againS = await measureStartS({ DATA_DIR })
    const cluster = await startPostgres(DATA_DIR)
    const starting = measureStartS({ DATA_DIR, DATABASE_URL: cluster.url })
    return { firstS, againS, runningS: await starting.finally(cluster.release) }
  } finally {
    const postgresDir = await readPostgresDir(DATA_DIR)
    for (const folder of [postgresDir, DATA_DIR]) await rm(folder, { recursive: true, force: true })
  }
}

async function readPostgresDir(dataDir: string) {
  try {
    return (await readFile(join(dataDir, 'postgresql-is-in'), 'utf8')).trim()
  } catch {
    return dataDir
  }
}

/** From the start of the process until `/health/ready` answers 200. */
async function measureStartS(env: Record<string, string>) {
  const port = findFreePort()
  const { PATH, HOME } = process.env
  const startedAt = performance.now()
  const child = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: { PATH, HOME, PORT: String(port), HOST: '127.0.0.1', ...runtimeEnv, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await waitUntilReady(port, () => child.exitCode === null, 2)
    return (performance.now() - startedAt) / 1000
  } finally {
    child.kill()
    await child.exited
  }
}

async function measureBundleKb() {
  const entry = join(root, 'sdk/index.ts')
  const built = await Bun.build({ entrypoints: [entry], target: 'browser', minify: true })
  return Bun.gzipSync(await built.outputs[0]!.text(), { level: 9 }).length / 1000
}

function measureHelpMs() {
  const startedAt = performance.now()
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'cli/index.ts', '--help'], { cwd: root })
  if (exitCode) throw new Error(String(stderr))
  return performance.now() - startedAt
}
