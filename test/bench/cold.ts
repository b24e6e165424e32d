import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './load'
import { freePort, ready, root } from './processes'
import type { Start } from './report'

/** How long it takes to start, and how large what others load is; of the times the middle one of several. */
export async function coldFigures(times: number, filledUrl: string): Promise<Start[]> {
  const repeat = async (work: () => Promise<number>) => {
    const taken: number[] = []
    while (taken.length < times) taken.push(await work())
    return median(taken)
  }
  return [
    { what: 'cold start to ready on an existing database', value: await repeat(() => startS({ DATABASE_URL: filledUrl, DATA_DIR: join(tmpdir(), `kiraya-cold-${process.pid}`) })), unit: 's', bar: 0.5 },
    { what: 'first start with initdb and migrations', value: await repeat(firstStartS), unit: 's', bar: 3 },
    { what: 'SDK bundle, minified and gzipped', value: await bundleKb(), unit: 'kB', bar: 11 },
    { what: 'CLI --help', value: await repeat(async () => helpMs()), unit: 'ms', bar: 80 },
  ]
}

/** From the start of the process until `/health/ready` answers. */
async function startS(env: Record<string, string>) {
  const port = freePort(), began = performance.now()
  const child = Bun.spawn([process.execPath, 'server/index.ts'], { cwd: root, env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), HOST: '127.0.0.1', ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    await ready(port, () => child.exitCode === null, 2)
    return (performance.now() - began) / 1000
  } finally {
    child.kill()
    await child.exited
  }
}

async function firstStartS() {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'kiraya-first-'))
  try {
    return await startS({ DATA_DIR })
  } finally {
    const home = await readFile(join(DATA_DIR, 'postgresql-is-in'), 'utf8').then(text => text.trim(), () => DATA_DIR)
    for (const folder of [home, DATA_DIR]) await rm(folder, { recursive: true, force: true })
  }
}

async function bundleKb() {
  const built = await Bun.build({ entrypoints: [join(root, 'sdk/index.ts')], target: 'browser', minify: true })
  return Bun.gzipSync(await built.outputs[0]!.text(), { level: 9 }).length / 1000
}

function helpMs() {
  const began = performance.now(), { exitCode, stderr } = Bun.spawnSync([process.execPath, 'cli/index.ts', '--help'], { cwd: root })
  if (exitCode) throw new Error(String(stderr))
  return performance.now() - began
}
