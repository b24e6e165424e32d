import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../db/embedded-postgres'
import { median } from './load'
import { freePort, ready, root, runtime } from './processes'
import type { Start } from './report'

/** How long it takes to start, and how large what others load is; of the times the middle one of several. */
export async function coldFigures(times: number): Promise<Start[]> {
  const first: number[] = []
  const again: number[] = []
  const running: number[] = []
  const help: number[] = []
  for (let n = 0; n < times; n++) {
    const taken = await startsS()
    first.push(taken.first)
    again.push(taken.again)
    running.push(taken.running)
    help.push(helpMs())
  }
  return [
    {
      what: 'cold start to ready on an existing database that runs',
      value: median(running),
      unit: 's',
      bar: 0.5,
    },
    {
      what: 'cold start to ready on an existing database, with its own PostgreSQL to start',
      value: median(again),
      unit: 's',
      bar: 0.5,
    },
    { what: 'first start with initdb and migrations', value: median(first), unit: 's', bar: 3 },
    { what: 'SDK bundle, minified and gzipped', value: await bundleKb(), unit: 'kB', bar: 11 },
    { what: 'CLI --help', value: median(help), unit: 'ms', bar: 80 },
  ]
}

/** A first start and one after it on the same data, PostgreSQL's own start included; and one that finds it running. */
async function startsS() {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'kiraya-first-'))
  try {
    const first = await startS({ DATA_DIR })
    const again = await startS({ DATA_DIR })
    const cluster = await startPostgres(DATA_DIR)
    return {
      first,
      again,
      running: await startS({ DATA_DIR, DATABASE_URL: cluster.url }).finally(cluster.release),
    }
  } finally {
    const home = await readFile(join(DATA_DIR, 'postgresql-is-in'), 'utf8').then(
      text => text.trim(),
      () => DATA_DIR,
    )
    for (const folder of [home, DATA_DIR]) await rm(folder, { recursive: true, force: true })
  }
}

/** From the start of the process until `/health/ready` answers. */
async function startS(env: Record<string, string>) {
  const port = freePort()
  const began = performance.now()
  const child = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HOST: '127.0.0.1',
      ...runtime,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    await ready(port, () => child.exitCode === null, 2)
    return (performance.now() - began) / 1000
  } finally {
    child.kill()
    await child.exited
  }
}

async function bundleKb() {
  const built = await Bun.build({
    entrypoints: [join(root, 'sdk/index.ts')],
    target: 'browser',
    minify: true,
  })
  return Bun.gzipSync(await built.outputs[0]!.text(), { level: 9 }).length / 1000
}

function helpMs() {
  const began = performance.now()
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'cli/index.ts', '--help'], { cwd: root })
  if (exitCode) throw new Error(String(stderr))
  return performance.now() - began
}
