import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PORT, startOwnCluster } from '../../support/cluster'
import { CHECKPOINT_SETTINGS, createFilledTables } from '../database'
import { getLayout } from '../layout'
import { getCpuS, getServerEnv, root, SERVER, startServer } from '../processes'
import { createSecrets, createWorld } from '../world'
import { startPooler, startProxy } from './daemons'

type End = () => Promise<unknown>
type Env = Record<string, string>
export type Machines = Awaited<ReturnType<typeof startMachines>>

/** Registers what to end in `ends`, which are called in the reverse order. */
export async function startMachines(owned: number, ends: End[]) {
  const folder = await mkdtemp(join(tmpdir(), 'kiraya-cluster-'))
  const logs = join(root, '.data/bench')
  ends.push(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o755)
  await mkdir(logs, { recursive: true })
  const database = await startOwnCluster()
  const socket = join(database.socket, `.s.PGSQL.${PORT}`)
  const directUrl = database.urlAt(database.socket)
  const sql = new Bun.SQL(directUrl, { max: 2 })
  ends.push(database.end, () => sql.end({ timeout: 1 }))
  for (const setting of CHECKPOINT_SETTINGS) await database.ask(`alter system set ${setting}`)
  await database.ask('select pg_reload_conf()')
  await createFilledTables(directUrl, sql, owned)
  const world = await createWorld(sql, getLayout(owned), createSecrets())
  const env = {
    ...getServerEnv(directUrl, folder, world.secrets),
    DATABASE_TIMEOUT_MS: '20000',
    DATABASE_SOCKET: socket,
    DATABASE_NAME: 'postgres',
  }

  const pooler = await startPooler(folder, database.socket, PORT, database.owner)
  ends.push(pooler.end)
  const [primaryPid] = await database.processes(database.data)
  const programs: End[] = []
  const register = <T extends { end: End }>(program: T) => {
    programs.push(program.end)
    ends.push(program.end)
    return program
  }
  const start = async (name: string, command: string[], more: Env, port?: number) => {
    const log = join(logs, `cluster-${name}.log`)
    return register(
      await startServer({ name, command, env: { ...env, ...more }, log }, { port, hasCore: false }),
    )
  }
  return {
    database,
    world,
    pooler,
    getPrimaryCpuS: () => getCpuS(primaryPid!),
    getPoolerCpuS: () => getCpuS(pooler.pid),
    startKiraya: (name: string, more: Env = {}) => start(name, SERVER, more),
    startFloor: (name: string, port: number) =>
      start(name, ['test/bench/floor.ts'], { REUSE_PORT: 'true' }, port),
    startProxy: async (groups: { port: number }[][]) => {
      const ports = groups.map(group => group.map(({ port }) => port))
      return register(await startProxy(folder, ports))
    },
    /** Ends the servers and proxies, and keeps databases and pooler. */
    endPrograms: async () => void (await Promise.all(programs.splice(0).map(end => end()))),
  }
}
