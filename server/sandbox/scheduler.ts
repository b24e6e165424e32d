import { sql, type RawBuilder } from 'kysely'
import { getKysely, type Database } from '../../db/database'
import type { Deps } from '../deps'
import type { SandboxClock } from './clock'
import { createRecordStore } from './record-store'

/** A timer cannot wait longer; it then looks again. */
const MAX_TIMER_MS = 86_400_000
/** Written out in queries: the planner knows how rare each kind is. */
const KIND = 'later'

type Payload = Record<string, unknown>
type ScheduledTask = {
  task: string
  payload: Payload
  due_at: string
  after: string | null
  match: string | null
}
/** `after`: the next webhook of this provider runs the task early; with `match`, only one about it does. */
type ScheduleOptions = { after?: string | null; match?: string | null }

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
    const now = await clock.now()
    await runMatching(sql`data->>'due_at' <= ${now.toISOString()}`)
    const nextDueAt = await findNextDueAt(db)
    if (!nextDueAt) return
    setTimer(Date.parse(nextDueAt) - (await clock.now()).getTime())
  }

  async function runMatching(condition: RawBuilder<unknown>) {
    for (;;) {
      const next = await removeNextTask(db, condition)
      if (!next) return
      await handlers.get(next.task)!(next.payload)
    }
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

    schedule: async (
      task: string,
      payload: Payload,
      delayMs: number,
      { after = null, match = null }: ScheduleOptions = {},
    ) => {
      const now = await clock.now()
      const due_at = new Date(now.getTime() + delayMs).toISOString()
      await tasks.add(Bun.randomUUIDv7(), { task, payload, due_at, after, match }, now)
      setTimer(0)
    },

    /** Runs the tasks that wait for a webhook of this provider about one of these subjects. */
    runAfterWebhook: (provider: string, subjects: string[]) =>
      runMatching(
        sql`data->>'after' = ${provider} and (data->>'match' is null or data->>'match' = any(${subjects}))`,
      ),

    runDue,
    runDueInBackground,
    count: (task: string) => countTasks(db, task),
  }
}
export type Scheduler = ReturnType<typeof createScheduler>

/** Instances skip each other's rows, so that each task runs once. */
async function removeNextTask(db: Database, condition: RawBuilder<unknown>) {
  const { rows } = await sql<{ data: ScheduledTask }>`
    delete from sandbox_records
    where id = (
      select id from sandbox_records
      where kind = ${sql.lit(KIND)} and ${condition}
      order by data->>'due_at', id
      limit 1
      for update skip locked
    )
    returning data`.execute(getKysely(db))
  return rows[0]?.data
}

async function findNextDueAt(db: Database) {
  const row = await getKysely(db)
    .selectFrom('sandbox_records')
    .where('kind', '=', sql.lit(KIND))
    .select(sql<string | null>`min(data->>'due_at')`.as('due_at'))
    .executeTakeFirstOrThrow()
  return row.due_at
}

async function countTasks(db: Database, task: string) {
  const row = await getKysely(db)
    .selectFrom('sandbox_records')
    .where('kind', '=', sql.lit(KIND))
    .where(sql`data->>'task'`, '=', task)
    .select(e => e.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
