import { randomUUID } from 'node:crypto'
import { chmod, chown, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { runProgram } from './child-process'
import { findPlatformPackage } from './platform-package'

const SOCKET_FILE = '.s.PGSQL.5432'
const MAX_SOCKET_PATH_BYTES = 107
const ROOT_HOMES = '/var/lib/kiraya'

/** The user that PostgreSQL runs as when this process is root. */
export type ClusterOwner = { uid: number; gid: number }

export type ClusterFolders = {
  owner: ClusterOwner | undefined
  /** The installed package with PostgreSQL's programs. */
  platformPackage: string
  /** The copy of the programs that runs. */
  binaries: string
  home: string
  /** The cluster's data, with its socket. */
  data: string
}

/** Finds the folders of a cluster, and creates those that PostgreSQL does not create itself. */
export async function prepareFolders(dataDir: string, name: string): Promise<ClusterFolders> {
  const isRoot = process.getuid?.() === 0
  const owner = isRoot ? await findOrCreateOwner() : undefined // PostgreSQL refuses to run as root
  const home = owner ? await findOrCreateRootHome(dataDir, owner) : resolve(dataDir)
  const platformPackage = findPlatformPackage()
  if (!platformPackage) throw new Error('This installation has no PostgreSQL of its own')
  const { version } = JSON.parse(await readFile(join(platformPackage, 'package.json'), 'utf8'))
  const binaries = join(owner ? dirname(home) : home, `postgresql-${version}`)
  const data = join(home, name)
  await mkdir(home, { recursive: true, mode: 0o700 })
  if (owner) await chown(home, owner.uid, owner.gid)
  requireShortSocketPath(data)
  return { owner, platformPackage, binaries, home, data }
}

export function getSocketPath(folder: string) {
  return join(folder, SOCKET_FILE)
}

async function findOrCreateOwner(): Promise<ClusterOwner> {
  const existing = await findOwner()
  if (existing) return existing
  const { output } = await runProgram(['useradd', '--system', '--user-group', '--no-create-home', 'postgres'])
  const created = await findOwner()
  if (created) return created
  throw new Error(`PostgreSQL refuses to run as root, and its user postgres cannot be created: ${output}`)
}

async function findOwner(): Promise<ClusterOwner | undefined> {
  const [uid, gid] = await Promise.all([
    runProgram(['id', '-u', 'postgres']),
    runProgram(['id', '-g', 'postgres']),
  ])
  if (!uid.ok || !gid.ok) return undefined
  return { uid: Number(uid.output), gid: Number(gid.output) }
}

/**
 * PostgreSQL's user may not reach the folders of root, so the cluster is below /var/lib/kiraya.
 * A note in the data folder says where.
 */
async function findOrCreateRootHome(dataDir: string, owner: ClusterOwner) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await mkdir(ROOT_HOMES, { recursive: true, mode: 0o711 })
  await chmod(ROOT_HOMES, 0o711)

  const note = join(dataDir, 'postgresql-is-in')
  const existing = await readNote(note)
  if (existing) return existing
  await writeNote(note, join(ROOT_HOMES, randomUUID().slice(0, 8)))
  const home = await readNote(note)
  if (!home) throw new Error(`Cannot write ${note}`)
  await mkdir(home, { recursive: true, mode: 0o700 })
  await chown(home, owner.uid, owner.gid)
  return home
}

async function readNote(note: string) {
  try {
    const text = await readFile(note, 'utf8')
    return text.trim()
  } catch {
    return undefined
  }
}

/** Keeps the note of another process that was first. */
async function writeNote(note: string, home: string) {
  const draft = `${note}.${process.pid}`
  await writeFile(draft, `${home}\n`)
  await link(draft, note).catch(() => {})
  await rm(draft)
}

/** @throws The operating system takes no socket with so long a path. */
export function requireShortSocketPath(folder: string) {
  const path = getSocketPath(folder)
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES)
    throw new Error(`The path of the socket ${path} is too long; set DATA_DIR to a shorter path`)
}
