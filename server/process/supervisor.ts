import type { Config } from '../config'
import type { Log } from '../observability/log'
import type { MetricsSnapshot } from '../observability/metrics'
import { LoggableError } from '../observability/safe-errors'
import type { RunningServer } from './server'

/** The argument that makes a process a worker of the one that started it. */
export const WORKER_ARGUMENT = 'worker'

/** What a worker tells its parent: that it serves, that it wants the figures of all, its own figures. */
type WorkerMessage = { ready: string } | { wants: number } | { figures: MetricsSnapshot; of: number }
/** What a parent tells its workers: to send clients elsewhere, to end, to tell their figures, the figures of all. */
type SupervisorMessage =
  | { order: 'leave' | 'stop' }
  | { tell: number }
  | { all: MetricsSnapshot[]; of: number }
type Child = Bun.Subprocess<'ignore', 'inherit', 'inherit'>

const PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
const STEADY_MS = 30_000
/** What a stop takes beyond its grace and its wait for requests, at the utmost, until a worker is killed. */
const ENDING_MS = 15_000
const FIGURES_MS = 1000

/**
 * Runs the server in `WORKERS` processes, among whose listeners on the one port the kernel spreads the connections. The first
 * runs the jobs. One that ends by itself is started again; `stop` ends one after the other, so that there is always somebody
 * to answer. `env` is what they are given.
 */
export function startSupervisor(
  config: Config,
  env: Record<string, string | undefined>,
  log: Log,
): Pick<RunningServer, 'ready' | 'publicUrl' | 'stop'> {
  const port = freePort(config)
  const children: (Child | undefined)[] = []
  const asked = new Map<number, (figures: MetricsSnapshot[]) => void>()
  let asking = 0
  let isStopping = false
  let isReady = false
  let publicUrl = ''
  const living = () => children.filter(child => child && lives(child)) as Child[]

  const ask = (child: Child) => {
    const { promise, resolve } = Promise.withResolvers<MetricsSnapshot[]>()
    const of = ++asking
    asked.set(of, resolve)
    tell(child, { tell: of })
    return Promise.race([promise, child.exited.then(() => []), Bun.sleep(FIGURES_MS).then(() => [])]).finally(
      () => asked.delete(of),
    )
  }
  const run = (place: number) => {
    const served = Promise.withResolvers<void>()
    const child: Child = Bun.spawn([process.execPath, Bun.main, WORKER_ARGUMENT], {
      env: { ...env, PORT: port, RUN_JOBS: String(config.RUN_JOBS && place === 0) },
      stdio: ['ignore', 'inherit', 'inherit'],
      serialization: 'json',
      ipc: (told: WorkerMessage) => {
        if ('ready' in told) served.resolve(void (publicUrl = told.ready))
        else if ('wants' in told)
          void Promise.all(living().map(ask)).then(all => tell(child, { all: all.flat(), of: told.wants }))
        else asked.get(told.of)?.([told.figures])
      },
    })
    children[place] = child
    return {
      child,
      served: Promise.race([
        served.promise,
        child.exited.then(() => {
          throw new LoggableError(`worker ${place + 1} of ${config.WORKERS} ended`)
        }),
      ]),
    }
  }
  const keep = async (place: number, { child, served }: ReturnType<typeof run>) => {
    for (let pauseMs = PAUSE_MS; ;) {
      const began = performance.now()
      served.catch(() => {}) // its end is seen below
      await child.exited
      if (isStopping || !isReady) return
      pauseMs = performance.now() - began > STEADY_MS ? PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
      log.error(
        { worker: place + 1, status: child.exitCode, ms: pauseMs },
        'A worker ended by itself; it is started again',
      )
      await Bun.sleep(pauseMs)
      if (isStopping) return
      ;({ child, served } = run(place))
    }
  }
  const first = Array.from({ length: config.WORKERS }, (_, place) => run(place))
  const kept = first.map((each, place) => keep(place, each))
  const stop = async () => {
    isStopping = true
    for (const child of living()) tell(child, { order: 'leave' })
    for (const child of living()) {
      tell(child, { order: 'stop' })
      await Promise.race([
        child.exited,
        Bun.sleep(config.SHUTDOWN_DELAY_MS + config.SHUTDOWN_TIMEOUT_MS + ENDING_MS),
      ])
      child.kill('SIGKILL')
    }
    await Promise.all(kept)
  }
  return {
    ready: Promise.all(first.map(({ served }) => served)).then(
      () => void (isReady = true),
      async error => {
        if (isStopping) return
        for (const child of living()) child.kill('SIGKILL')
        throw error
      },
    ),
    get publicUrl() {
      return publicUrl
    },
    stop,
  }
}

const lives = (child: Child) => child.exitCode === null && child.signalCode === null
const tell = (child: Child, order: SupervisorMessage) => void (lives(child) && child.send(order))

/** Nobody else may listen on the port, not even who would share it; for 0 a free one is found. */
function freePort({ PORT, HOST }: Config) {
  const found = Bun.listen({ hostname: HOST, port: PORT, socket: { data() {} } })
  found.stop(true)
  return String(found.port)
}

/** A worker's side of it. Who loses the parent ends too. */
export function connectToSupervisor(stop: () => void) {
  const wanted = new Map<number, (figures: MetricsSnapshot[]) => void>()
  const say = (told: WorkerMessage) => void process.send!(told)
  let wants = 0
  let serving: RunningServer | undefined
  process.on('disconnect', stop)
  process.on('message', (order: SupervisorMessage) => {
    if ('all' in order) wanted.get(order.of)?.(order.all)
    else if ('tell' in order) void serving?.figures().then(figures => say({ figures, of: order.tell }))
    else if (order.order === 'stop') stop()
    else serving?.startDraining()
  })
  return {
    serves: (it: RunningServer) => (serving = it),
    ready: (publicUrl: string) => say({ ready: publicUrl }),
    /** What all workers count. */
    figures: () => {
      const { promise, resolve } = Promise.withResolvers<MetricsSnapshot[]>()
      const of = ++wants
      wanted.set(of, resolve)
      say({ wants: of })
      return promise.finally(() => wanted.delete(of))
    },
  }
}
