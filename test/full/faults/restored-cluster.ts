import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../../db/database'
import { startPostgres } from '../../../db/embedded-postgres'

export const root = join(import.meta.dir, '../../..')

export async function runProgram(args: string[], env: Record<string, string>) {
  const run = Bun.spawn([process.execPath, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, errors] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  const status = await run.exited
  return { status, out, errors, memoryMb: Math.round((run.resourceUsage()?.maxRSS ?? 0) / 1e6) }
}
/** Restores a dump into a new cluster with the program, and starts the cluster. */
export async function restoreToNewCluster(file: string, dataDir: string) {
  const restored = await runProgram(['server/process/backup.ts', 'restore', file], { DATA_DIR: dataDir })
  const cluster = await startPostgres(dataDir)
  const orm = openDatabase(cluster.url, { limitMs: 600_000 })
  const end = async () => {
    await orm.close()
    await cluster.release()
    const home = await readFile(join(dataDir, 'postgresql-is-in'), 'utf8').catch(() => '')
    if (home) await rm(home.trim(), { recursive: true, force: true })
  }
  return { restored, orm, end }
}

/** Starts a server on the cluster of a data directory. */
export async function startServerOn(dataDir: string) {
  const server = Bun.spawn([process.execPath, 'server/index.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: '0',
      HOST: '127.0.0.1',
      JWT_SECRET: 'a secret that only the tests know, of more than 32 bytes',
      OPS_TOKEN: 'operator',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const end = () => {
    server.kill('SIGTERM')
    return server.exited
  }
  let output = ''
  for await (const chunk of server.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    if (/Kiraya listens on (\S+?)"/.test(output)) break
  }
  return { url: /Kiraya listens on (\S+?)"/.exec(output)![1]!, end }
}
