import { holdCluster, type ClusterHold } from './cluster-hold'
import { prepareFolders, type ClusterFolders } from './folders'
import { initializeCluster, installBinaries, type ClusterName } from './install'
import { startPostmaster, stopPostmaster } from './postmaster'

const MAX_HOLD_RETRIES = 50
const HOLD_RETRY_MS = 100

export type EmbeddedPostgres = {
  url: string
  /** The directory of the Unix socket. */
  socket: string
  /** The data directory of the cluster. */
  folder: string
  /** Stops PostgreSQL unless another process still uses it. */
  release: () => Promise<void>
}

/**
 * Starts the PostgreSQL of a data folder, or finds it running. It listens only on a Unix socket in a 0700
 * directory, so it needs neither port nor password. `onStarting` is called while it starts, perhaps more than
 * once, with its URL and a promise that resolves when it runs. `onStarting` may block this thread.
 */
export async function startPostgres(
  dataDir: string,
  name: ClusterName = 'development',
  onStarting: (url: string, running: Promise<void>) => void = () => {},
): Promise<EmbeddedPostgres> {
  const folders = await prepareFolders(dataDir, name)
  await installBinaries(folders)
  await initializeCluster(folders, name)

  const { data } = folders
  const url = `postgresql://kiraya@localhost/postgres?host=${encodeURIComponent(data)}`
  const running = Promise.withResolvers<void>()
  const hold = await startAndHold(folders, {
    onStarting: () => onStarting(url, running.promise),
    onRunning: running.resolve,
  })
  return { url, socket: data, folder: data, release: () => hold.release(() => stopPostmaster(folders)) }
}

type StartListeners = { onStarting: () => void; onRunning: () => void }

/** Retries, because the last process that uses the cluster may stop it before it is held. */
async function startAndHold(folders: ClusterFolders, listeners: StartListeners): Promise<ClusterHold> {
  for (let retries = 0; ; retries++) {
    await startPostmaster(folders, listeners.onStarting)
    listeners.onRunning()
    try {
      return await holdCluster(folders.data)
    } catch (error) {
      if (retries > MAX_HOLD_RETRIES) throw error
    }
    await Bun.sleep(HOLD_RETRY_MS)
  }
}
