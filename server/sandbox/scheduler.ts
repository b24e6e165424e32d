import { sql, type RawBuilder } from 'kysely'
import { getKysely, type Database } from '../../db/database'
import type { Deps } from '../deps'
import type { SandboxClock } from './clock'
import { createRecordStore } from './record-store'

/** A timer cannot wait longer; it then looks again. */
const MAX_TIMER_MS = 86_400_000
const KIND = 'later'

type Payload = Record<string, unknown>
type ScheduledTask = { task: string; payload: Payload; due_at: string }

/** Runs tasks at a time of the sandbox clock. They are in the database, and one instance runs each. */
export function createScheduler({ db, log }: Deps, clock: SandboxClock) {
  const handlers = new Map<string, (payload: Payload) => Promise<void>>()
  const tasks = createRecordStore<ScheduledTask>(db, KIND)
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastRun = Promise.resolve()

  /** Runs due tasks; resolves when they are done, even if an earlier call is still running them. */
  function runDue() {
    lastRun = lastRun.then(runDueNow, runDueNow)
    return lastRun
  }

  async function runDueNow() {
    clearTimeout(timer)
    const now = (await clock.now()).toISOString()
    for (;;) {
      const next = await removeDueTask(db, now)
      if (!next) break
      await handlers.get(next.task)!(next.payload)
    }
    const nextDueAt = await findNextDueAt(db)
    if (nextDueAt) setTimer(Date.parse(nextDueAt) - (await clock.now()).getTime())
  }

  function setTimer(delayMs: number) {
    clearTimeout(timer)
    timer = setTimeout(runDueInBackground, Math.min(Math.max(delayMs, 0), MAX_TIMER_MS))
    timer.unref()
  }

  function runDueInBackground() {
    runDue().catch(error => log.warn({ err: error }, 'The sandbox could not run its due tasks'))
  }

  return {
    handle<P extends Payload>(task: string, handler: (payload: P) => Promise<void>) {
      handlers.set(task, payload => handler(payload as P))
    },

    schedule: async (task: string, payload: Payload, delayMs: number) => {
      const now = await clock.now()
      const due_at = new Date(now.getTime() + delayMs).toISOString()
      await tasks.add(Bun.randomUUIDv7(), { task, payload, due_at }, now)
      setTimer(0)
    },

    runDue,
    runDueInBackground,
    count: async (task: string) => (await tasks.list(sql`data->>'task' = ${task}`)).length,
  }
}
export type Scheduler = ReturnType<typeof createScheduler>

const ofTasks: RawBuilder<boolean> = sql`kind = ${sql.lit(KIND)}`

/** Instances skip each other's rows, so that each task runs once. */
async function removeDueTask(db: Database, now: string) {
  const { rows } = await sql<{ data: ScheduledTask }>`
    delete from sandbox_records
    where id = (
      select id from sandbox_records
      where ${ofTasks} and data->>'due_at' <= ${now}
      order by data->>'due_at', id
      limit 1
      for update skip locked
    )
    returning data`.execute(getKysely(db))
  return rows[0]?.data
}

async function findNextDueAt(db: Database) {
  const { rows } = await sql<{ due_at: string | null }>`
    select min(data->>'due_at') as due_at from sandbox_records where ${ofTasks}`.execute(getKysely(db))
  return rows[0]?.due_at
}
