import cluster, { type Worker } from 'node:cluster'
import type { AggregatorRegistry, Registry } from 'prom-client'
import type { Config } from '../config'
import type { Log } from '../observability/log'
import { LoggableError } from '../observability/safe-errors'
import { findFreePort } from './free-port'
import type { RunningServer } from './server'

/** Whether this process is one of several that serve the port. */
export const isWorker = cluster.isWorker

/** What a worker asks of its supervisor. */
type WorkerMessage = { kind: 'ready'; publicUrl: string } | { kind: 'metrics'; id: number }
/** From a supervisor to its workers; the metrics of all are missing if a worker does not report its own. */
type SupervisorMessage = { kind: 'drain' } | { kind: 'stop' } | { kind: 'metrics'; id: number; text?: string }

const MIN_BACKOFF_MS = 100
const MAX_BACKOFF_MS = 10_000
/** A worker that ran so long restarts without a backoff. */
const STABLE_MS = 30_000
/** Time beyond the shutdown settings after which a worker is killed. */
const KILL_MARGIN_MS = 15_000

/** How long a scrape waits for workers that are starting. */
const MAX_READINESS_WAIT_MS = 3000

type RunningWorker = { worker: Worker; exited: Promise<void>; ready: Promise<void> }
type Environment = Record<string, string | undefined>

/**
 * Serves one port with `WORKERS` processes of node:cluster; the first runs the jobs.
 * A worker that exits is restarted. `stop` ends one worker after the other, so that clients always find one.
 */
export function startSupervisor(
  config: Config,
  env: Environment,
  log: Log,
): Pick<RunningServer, 'ready' | 'publicUrl' | 'stop'> {
  const port = findFreePort(config)
  const aggregator = createAggregator()
  const state = { isReady: false, isStopping: false, publicUrl: '' }
  const workers: Worker[] = []
  const readiness: Promise<void>[] = []

  const handleMessage = async (worker: Worker, message: WorkerMessage) => {
    if (message.kind === 'ready') state.publicUrl = message.publicUrl
    if (message.kind !== 'metrics') return
    // A worker that still loads would miss the question, and the aggregator would wait for it in vain.
    await Promise.race([Promise.allSettled(readiness), Bun.sleep(MAX_READINESS_WAIT_MS)])
    const text: string | undefined = await aggregator.clusterMetrics().catch(() => undefined)
    send(worker, { kind: 'metrics', id: message.id, text })
  }
  const fork = (index: number) => {
    const isJobRunner = config.RUN_JOBS && index === 0
    const worker = cluster.fork({ ...env, PORT: port, RUN_JOBS: String(isJobRunner) })
    worker.on('message', message => void handleMessage(worker, message))
    workers[index] = worker
    const running = observeWorker(worker, `worker ${index + 1} of ${config.WORKERS}`)
    readiness[index] = running.ready
    return running
  }

  const first = Array.from({ length: config.WORKERS }, (_, index) => fork(index))
  const shouldRestart = () => state.isReady && !state.isStopping
  const kept = first.map((running, index) =>
    keepRunning(running, { log, shouldRestart, number: index + 1, restart: () => fork(index) }),
  )
  const whenReady = async () => {
    try {
      await Promise.all(first.map(({ ready }) => ready))
      state.isReady = true
    } catch (error) {
      if (state.isStopping) return
      for (const worker of workers) worker.process.kill('SIGKILL')
      throw error
    }
  }
  return {
    ready: whenReady(),
    get publicUrl() {
      return state.publicUrl
    },
    stop: async () => {
      state.isStopping = true
      for (const worker of workers) send(worker, { kind: 'drain' })
      for (const worker of workers) await stopWorker(worker, config)
      await Promise.all(kept)
    },
  }
}

/** `ready` rejects if the worker exits before it serves. */
function observeWorker(worker: Worker, name: string): RunningWorker {
  const ready = Promise.withResolvers<void>()
  const exited = Promise.withResolvers<void>()
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') ready.resolve()
  })
  worker.on('exit', () => {
    ready.reject(new LoggableError(`${name} exited`))
    exited.resolve()
  })
  return { worker, ready: ready.promise, exited: exited.promise }
}

type RestartOptions = {
  log: Log
  number: number
  shouldRestart: () => boolean
  restart: () => RunningWorker
}

async function keepRunning(first: RunningWorker, { log, number, shouldRestart, restart }: RestartOptions) {
  let running = first
  let backoffMs = MIN_BACKOFF_MS
  while (true) {
    const startedAt = performance.now()
    running.ready.catch(() => {})
    await running.exited
    if (!shouldRestart()) return

    const isStable = performance.now() - startedAt > STABLE_MS
    backoffMs = isStable ? MIN_BACKOFF_MS : Math.min(2 * backoffMs, MAX_BACKOFF_MS)
    const status = running.worker.process.exitCode
    log.error({ worker: number, status, ms: backoffMs }, 'A worker exited and is restarted')
    await Bun.sleep(backoffMs)
    if (!shouldRestart()) return
    running = restart()
  }
}

async function stopWorker(worker: Worker, { SHUTDOWN_DELAY_MS, SHUTDOWN_TIMEOUT_MS }: Config) {
  if (worker.isDead()) return
  const exited = new Promise(resolve => worker.once('exit', resolve))
  send(worker, { kind: 'stop' })
  await Promise.race([exited, Bun.sleep(SHUTDOWN_DELAY_MS + SHUTDOWN_TIMEOUT_MS + KILL_MARGIN_MS)])
  if (!worker.isDead()) worker.process.kill('SIGKILL')
}

function send(worker: Worker, message: SupervisorMessage) {
  if (worker.isConnected()) worker.send(message)
}

/** Loads the one part of prom-client that is needed; its index costs 12 MB. */
function loadAggregator(): typeof AggregatorRegistry {
  return require('prom-client/lib/cluster')
}

function createAggregator() {
  return new (loadAggregator())()
}

/** Connects a worker to its supervisor. `stop` also runs when the supervisor is gone. */
export function connectToSupervisor(stop: () => void) {
  const { worker } = cluster
  const metricsRequests = new Map<number, (text: string | undefined) => void>()
  const sendToSupervisor = (message: WorkerMessage) => process.send!(message)
  let lastRequestId = 0
  let server: RunningServer | undefined

  worker!.on('disconnect', () => {
    // Without this, node:cluster exits at once and cuts the requests in flight.
    worker!.exitedAfterDisconnect = true
    stop()
  })
  process.on('message', (message: SupervisorMessage) => {
    if (message.kind === 'drain') server?.startDraining()
    if (message.kind === 'stop') stop()
    if (message.kind === 'metrics') metricsRequests.get(message.id)?.(message.text)
  })
  return {
    setServer: (running: RunningServer) => {
      server = running
    },
    reportReady: (publicUrl: string) => sendToSupervisor({ kind: 'ready', publicUrl }),
    /** Reports these metrics to the scrapes of all workers. */
    shareMetrics: (registry: Registry) => {
      createAggregator()
      loadAggregator().setRegistries([registry])
    },
    /** Asks for the metrics of all workers; undefined if one does not answer. */
    requestMetrics: () => {
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const id = ++lastRequestId
      metricsRequests.set(id, resolve)
      sendToSupervisor({ kind: 'metrics', id })
      return promise.finally(() => metricsRequests.delete(id))
    },
  }
}

export type SupervisorConnection = ReturnType<typeof connectToSupervisor>
