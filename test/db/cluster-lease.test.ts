import { expect, test } from 'bun:test'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { getKysely, openDatabase } from '../../db/database'
import { leaseCluster } from '../../db/embedded-postgres/cluster-lease'
import { waitUntil } from '../faults/round'
import { freshDatabase } from '../support/database'

const SOCKET = '.s.PGSQL.5432'
/** Longer than the time between two attempts to take the lease again. */
const OUTAGE_MS = 1200

test('a lease is taken again after an outage in which an attempt fails', async () => {
  const { url, drop } = await freshDatabase()
  const orm = openDatabase(url)
  const folder = await mkdtemp(join(tmpdir(), 'lease-'))
  const link = () => symlink(join(new URL(url).searchParams.get('host')!, SOCKET), join(folder, SOCKET))
  const listHolders = async () => {
    const { rows } = await sql<{
      pid: number
    }>`select l.pid from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.mode = 'ShareLock' and a.datname = 'postgres'`.execute(
      getKysely(orm),
    )
    return rows.map(({ pid }) => pid)
  }
  const others = await listHolders()
  const findOwn = async () => (await listHolders()).find(pid => !others.includes(pid))

  await link()
  const lease = await leaseCluster(folder)
  try {
    const held = await findOwn()
    await rm(join(folder, SOCKET))
    await sql`select pg_terminate_backend(${held})`.execute(getKysely(orm))
    await Bun.sleep(OUTAGE_MS)
    expect(await findOwn()).toBeUndefined()
    await link()
    await waitUntil(async () => (await findOwn()) !== undefined, 'the lease', 10_000)
  } finally {
    await lease.release(async () => {})
    await orm.close()
    await Promise.all([drop(), rm(folder, { recursive: true })])
  }
}, 30_000)
