import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getSocketPath, type ClusterFolders } from './folders'
import { requireSuccess, runPostgresProgram } from './programs'

const START_TIMEOUT_SECONDS = 60
const MAX_START_RETRIES = 50
const START_RETRY_MS = 200

/** Starts PostgreSQL unless it runs. Retries, because another process may be starting or stopping it. */
export async function startPostmaster(folders: ClusterFolders, onStarting: () => void) {
  for (let retries = 0; !(await isRunning(folders)); retries++) {
    if (await isPidFileStale(folders)) await removeLockFiles(folders)
    const starting = runPostgresProgram(folders, 'pg_ctl', getStartArgs(folders))
    onStarting()
    const result = await starting
    if (retries > MAX_START_RETRIES) requireSuccess(folders, result)
    if (!result.ok) await Bun.sleep(START_RETRY_MS)
  }
}

export async function stopPostmaster(folders: ClusterFolders) {
  const args = ['stop', '--mode=fast', `--pgdata=${folders.data}`]
  requireSuccess(folders, await runPostgresProgram(folders, 'pg_ctl', args))
}

function getStartArgs({ data }: ClusterFolders) {
  return [
    'start',
    '--wait',
    `--timeout=${START_TIMEOUT_SECONDS}`,
    `--pgdata=${data}`,
    `--log=${data}.log`,
    `--options=-k "${data}"`,
  ]
}

/** Connects too: postmaster.pid outlives a killed postmaster, and another process may have its pid. */
async function isRunning(folders: ClusterFolders) {
  const { status } = await readPidFile(folders)
  return status === 'ready' && (await isListening(folders))
}

async function isListening({ data }: ClusterFolders) {
  try {
    const connection = await Bun.connect({ unix: getSocketPath(data), socket: { data() {} } })
    connection.end()
    return true
  } catch {
    return false
  }
}

/**
 * PostgreSQL trusts its lock files while any process has their pid: a zombie, or another program after a
 * reboot. Only Linux tells which program has a pid.
 */
async function isPidFileStale(folders: ClusterFolders) {
  const { pid } = await readPidFile(folders)
  if (!pid || !existsSync('/proc/self/status')) return false
  const processStatus = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const isLivePostgres = /^Name:\tpostgres$[^]*^State:\t[^Z]/m.test(processStatus)
  return !isLivePostgres
}

async function removeLockFiles({ data }: ClusterFolders) {
  await rm(getPidFile(data), { force: true })
  await rm(`${getSocketPath(data)}.lock`, { force: true })
}

/** The pid is the first line of the file, the status its eighth. */
async function readPidFile({ data }: ClusterFolders) {
  const text = await readFile(getPidFile(data), 'utf8').catch(() => '')
  const lines = text.split('\n')
  return { pid: lines[0], status: lines[7]?.trim() }
}

function getPidFile(data: string) {
  return join(data, 'postmaster.pid')
}
