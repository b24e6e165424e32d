import cluster, { type Worker } from 'node:cluster'
import type { AggregatorRegistry, Registry } from 'prom-client'
import type { Config, Environment } from '../config'
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
  const state = { isReady: false, isStopping: false, publicUrl: '' }
  const workers: Worker[] = []
  const readiness: Promise<string>[] = []
  const answerMetrics = createMetricsAnswer(readiness)

  const start = (index: number, backoffMs = MIN_BACKOFF_MS) => {
    const isJobRunner = config.RUN_JOBS && index === 0
    const worker = cluster.fork({ ...env, PORT: port, RUN_JOBS: String(isJobRunner) })
    workers[index] = worker
    readiness[index] = waitUntilReady(worker, `worker ${index + 1} of ${config.WORKERS}`)
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'metrics') void answerMetrics(worker, message.id)
    })
    const startedAt = performance.now()
    worker.on('exit', () => {
      if (!state.isReady || state.isStopping) return
      const isStable = performance.now() - startedAt > STABLE_MS
      restart(index, isStable ? MIN_BACKOFF_MS : Math.min(2 * backoffMs, MAX_BACKOFF_MS))
    })
  }
  const restart = (index: number, backoffMs: number) => {
    const status = workers[index]!.process.exitCode
    log.error({ worker: index + 1, status, ms: backoffMs }, 'A worker exited and is restarted')
    setTimeout(() => {
      if (!state.isStopping) start(index, backoffMs)
    }, backoffMs)
  }

  for (let index = 0; index < config.WORKERS; index++) start(index)
  const whenReady = async () => {
    try {
      const [publicUrl = ''] = await Promise.all(readiness)
      state.publicUrl = publicUrl
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
    },
  }
}

/** Answers a worker with the metrics of all. */
function createMetricsAnswer(readiness: Promise<unknown>[]) {
  const aggregator = createAggregator()
  return async (worker: Worker, id: number) => {
    // A worker that still loads would miss the question, and the aggregator would wait for it in vain.
    await Promise.race([Promise.allSettled(readiness), Bun.sleep(MAX_READINESS_WAIT_MS)])
    const text: string | undefined = await aggregator.clusterMetrics().catch(() => undefined)
    send(worker, { kind: 'metrics', id, text })
  }
}

/** Resolves with the public URL once a worker serves; rejects if it exits before that. */
function waitUntilReady(worker: Worker, name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  worker.on('message', (message: WorkerMessage) => {
    if (message.kind === 'ready') resolve(message.publicUrl)
  })
  worker.on('exit', () => reject(new LoggableError(`${name} exited`)))
  promise.catch(() => {})
  return promise
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
