import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refuse } from '../errors'

/** Of a core; bounds keep a task below two seconds. */
const MAX_TASK_MS = 5000
/** On a busy machine it may take so many times as long. */
const MAX_SLOWNESS = 4
/** Loading is not the task's fault. */
const MAX_START_MS = 30_000

/** What a child sends: that it has loaded, then what came of each task. */
export type ChildMessage = 'ready' | { result: unknown } | { error: string }

/** The error of a client whose task was cut off. */
type CutOffReason = 'document_not_made' | 'file_not_read'

/** A child process that does one task after the other. It starts with the first, and ends when it is idle. */
export function createChild<Task extends object>(maxIdleMs: number, maxTaskMs = MAX_TASK_MS) {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()
  let idle: ReturnType<typeof setTimeout> | undefined

  const doNow = async <T>(task: Task, reason: CutOffReason): Promise<T> => {
    clearTimeout(idle)
    try {
      if (!child || child.hasEnded) child = new ChildProcess(maxTaskMs)
      return (await child.run(task)) as T
    } catch (error) {
      if (error instanceof TaskError) throw error
      throw refuse(reason, {}, { cause: error })
    } finally {
      idle = setTimeout(() => child?.end('it was idle'), maxIdleMs)
      idle.unref()
    }
  }
  return {
    /**
     * Does a task once those before it are done.
     * @throws SERVICE_UNAVAILABLE It took too long, or the process ended; those that wait go to another one.
     */
    run<T>(task: Task, reason: CutOffReason): Promise<T> {
      const done = last.then(() => doNow<T>(task, reason))
      last = done.catch(() => {})
      return done
    },
  }
}

/** The task itself failed, in a process that goes on. */
class TaskError extends Error {}

/** A native compilation, or decoder, can only be stopped with its process, which gives its memory back too. */
class ChildProcess {
  hasEnded = false
  private readonly process = Bun.spawn([process.execPath, ...toArguments()], {
    // It needs no secrets. The single program unpacks a library into the folder for temporary files.
    env: { TMPDIR: tmpdir() },
    stdio: ['ignore', 'ignore', 'ignore'],
    serialization: 'advanced',
    ipc: message => this.settle(message as ChildMessage),
    onExit: () => this.end('it ended'),
  })
  private pending = Promise.withResolvers<unknown>()
  private readonly loaded = this.expect(MAX_START_MS)

  constructor(private readonly maxTaskMs: number) {}

  async run(task: object) {
    this.process.ref()
    try {
      await this.loaded
      const answer = this.expect(this.maxTaskMs)
      this.process.send(task)
      return await answer
    } finally {
      this.process.unref()
    }
  }

  end(why: string) {
    this.hasEnded = true
    this.process.kill('SIGKILL')
    this.pending.reject(new Error(`The process of documents was ended: ${why}`))
  }

  private async expect(maxMs: number) {
    this.pending = Promise.withResolvers()
    const { promise } = this.pending
    const [startedAt, startedCpuMs] = [performance.now(), this.readCpuMs()]
    const endLate = () => {
      const usedMs = Math.max(this.readCpuMs() - startedCpuMs, (performance.now() - startedAt) / MAX_SLOWNESS)
      if (usedMs >= maxMs) this.end(`it took more than ${maxMs} ms`)
      else timer = setTimeout(endLate, maxMs - usedMs)
    }
    let timer = setTimeout(endLate, maxMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
    }
  }

  /** A process that has to wait for a core is not at fault. */
  private readCpuMs() {
    const path = `/proc/${this.process.pid}/stat`
    if (!existsSync(path)) return performance.now()
    // The user's and the system's hundredths of a second, behind the name in brackets.
    const [user, system] = readFileSync(path, 'latin1').split(') ')[1]!.split(' ').slice(11)
    return 10 * (Number(user) + Number(system))
  }

  private settle(message: ChildMessage) {
    if (message === 'ready') this.pending.resolve(undefined)
    else if ('result' in message) this.pending.resolve(message.result)
    else this.pending.reject(new TaskError(message.error))
  }
}

/** The single program is its own child. */
function toArguments() {
  return Bun.isStandaloneExecutable ? ['draw'] : [join(import.meta.dir, '../documents/child.ts')]
}
