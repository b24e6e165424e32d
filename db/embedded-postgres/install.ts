import { existsSync } from 'node:fs'
import { appendFile, chown, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ClusterFolders } from './folders'
import { requireSuccess, runPostgresProgram } from './programs'

const SETTINGS = `
listen_addresses = ''
max_connections = 200
shared_buffers = 128MB
timezone = UTC
log_timezone = UTC
jit = off
`
/** Faster, but a power failure may lose data. */
const TEST_SETTINGS = `
fsync = off
synchronous_commit = off
full_page_writes = off
autovacuum = off
max_wal_size = 4GB
max_connections = 600
`
const SETTINGS_BY_CLUSTER = {
  development: SETTINGS,
  tests: SETTINGS + TEST_SETTINGS,
}

/** Says what a letter is to pg_trgm; macOS has no locale C.UTF-8. */
const LC_CTYPE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

export type ClusterName = keyof typeof SETTINGS_BY_CLUSTER

/** Copies PostgreSQL's programs, because its user may not reach the checkout. */
export async function installBinaries({ binaries, platformPackage }: ClusterFolders) {
  if (existsSync(binaries)) return
  await createAtomically(binaries, async folder => {
    await mkdir(dirname(folder), { recursive: true })
    await cp(join(platformPackage, 'native'), folder, { recursive: true })
    await createSymlinks(platformPackage, folder)
  })
}

/** Creates the symlinks that the libraries need and that a package cannot contain. */
async function createSymlinks(platformPackage: string, folder: string) {
  const list = join(platformPackage, 'native/pg-symlinks.json')
  const text = await readFile(list, 'utf8').catch(() => '[]')
  const symlinks: { source: string; target: string }[] = JSON.parse(text)
  for (const { source, target } of symlinks) {
    const path = join(folder, target.slice('native/'.length))
    const sourceName = source.slice(source.lastIndexOf('/') + 1)
    if (!existsSync(path)) await symlink(sourceName, path)
  }
}

export async function initializeCluster(folders: ClusterFolders, name: ClusterName) {
  const { data, owner } = folders
  if (existsSync(data)) return
  await createAtomically(data, async folder => {
    if (owner) {
      await mkdir(folder, { mode: 0o700 })
      await chown(folder, owner.uid, owner.gid)
    }
    requireSuccess(folders, await runPostgresProgram(folders, 'initdb', getInitdbArgs(folder)))
    await appendFile(join(folder, 'postgresql.conf'), SETTINGS_BY_CLUSTER[name])
  })
}

function getInitdbArgs(folder: string) {
  return [
    `--pgdata=${folder}`,
    '--username=kiraya',
    '--auth-local=trust',
    '--auth-host=reject',
    '--encoding=UTF8',
    '--locale=C',
    `--lc-ctype=${LC_CTYPE}`,
    '--no-sync',
    '--no-instructions',
  ]
}

/** Creates a folder whole or not at all, even if this process is killed or another one creates it too. */
async function createAtomically(target: string, create: (folder: string) => Promise<void>) {
  const draft = `${target}.${process.pid}`
  await rm(draft, { recursive: true, force: true })
  await create(draft)
  await rename(draft, target).catch(() => rm(draft, { recursive: true }))
}
