import { sql } from 'kysely'
import { query } from '../../db/orm'
import type { Deps } from '../deps'
import type { Clock } from './clock'

/** A longer wait ends early and begins again: timers go no further than this. */
const MAX_TIMER_MS = 86_400_000

type Work = Record<string, unknown>
type Waiting = { what: string; work: Work; due_at: string; after: string | null; match: string | null }

/** What the sandbox does by itself at a time of its own clock; kept in the database, done by one instance. */
export const createScheduler = ({ orm, log }: Deps, clock: Clock) => {
  const doing: Record<string, (work: any) => Promise<void>> = {}
  const table = () => query(orm)
  const waiting = sql`kind = 'later'`
  let timer: ReturnType<typeof setTimeout> | undefined

  /** Takes away what fits and does it, one after the other. */
  async function run(fits: ReturnType<typeof sql>) {
    for (;;) {
      const {
        rows: [next],
      } = await sql<{
        data: Waiting
      }>`delete from sandbox_records where id = (select id from sandbox_records where ${waiting} and ${fits} order by data->>'due_at', id limit 1 for update skip locked) returning data`.execute(
        table(),
      )
      if (!next) return
      await doing[next.data.what]!(next.data.work)
    }
  }

  /** Does what is due, and when it returns it is done, also where this was at it already. */
  const runDue = () => (waking = waking.then(doDue, doDue))
  let waking = Promise.resolve()

  async function doDue() {
    clearTimeout(timer)
    await run(sql`data->>'due_at' <= ${(await clock.now()).toISOString()}`)
    const {
      rows: [next],
    } = await sql<{
      due_at: string | null
    }>`select min(data->>'due_at') as due_at from sandbox_records where ${waiting}`.execute(table())
    if (!next?.due_at) return
    wakeIn(Date.parse(next.due_at) - (await clock.now()).getTime())
  }

  function wakeIn(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(
      () => void runDue().catch(error => log.warn({ err: error }, 'The sandbox could not do what was due')),
      Math.min(Math.max(ms, 0), MAX_TIMER_MS),
    )
    timer.unref()
  }

  return {
    /** Says how a kind of work is done. */
    on: <W extends Work>(what: string, work: (work: W) => Promise<void>) => void (doing[what] = work),
    /** `after` names a provider whose next webhook lets it happen sooner, with `match` only one that is about it. */
    add: async (
      what: string,
      work: Work,
      delayMs: number,
      { after = null, match = null }: { after?: string | null; match?: string | null } = {},
    ) => {
      const at = await clock.now()
      const id = Bun.randomUUIDv7()
      const data: Waiting = {
        what,
        work,
        due_at: new Date(at.getTime() + delayMs).toISOString(),
        after,
        match,
      }
      await table()
        .insertInto('sandbox_records')
        .values({
          id,
          kind: 'later',
          data: sql`${JSON.stringify(data)}::text::jsonb` as never,
          created_at: at,
        })
        .execute()
      wakeIn(0)
    },
    /** A webhook of the provider has been delivered: what waited for one follows. */
    follow: (provider: string, about: readonly string[]) =>
      run(
        sql`data->>'after' = ${provider} and (data->>'match' is null or data->>'match' = any(${[...about]}))`,
      ),
    runDue,
    count: async (what: string) =>
      Number(
        (
          await table()
            .selectFrom('sandbox_records')
            .where('kind', '=', 'later')
            .where(sql`data->>'what'`, '=', what)
            .select(e => e.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      ),
  }
}
export type Scheduler = ReturnType<typeof createScheduler>
