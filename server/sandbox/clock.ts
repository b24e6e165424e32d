import { sql } from 'kysely'
import type { SandboxClock, SandboxClockChange } from '@kiraya/sdk/contract'
import { query } from '../../db/orm'
import type { Deps } from '../deps'
import { badRequest } from '../faults'

const TEN_YEARS = 3652 * 86_400_000
const ID = 'clock'
const offset = sql<number>`(sandbox_records.data->>'offset_ms')::float8`

/** The sandbox's own time: the server's, and how far the control has moved it, which all instances know. */
export const createClock = ({ orm, now }: Deps) => {
  const db = () => query(orm)
  const at = (offset_ms: number) => new Date(now().getTime() + offset_ms)
  const offsetMs = async () =>
    (await db().selectFrom('sandbox_records').where('id', '=', ID).select(offset.as('ms')).executeTakeFirst())
      ?.ms ?? 0

  return {
    now: async () => at(await offsetMs()),
    state: async (): Promise<SandboxClock> => {
      const offset_ms = await offsetMs()
      return { now: at(offset_ms).toISOString(), offset_ms }
    },
    move: async ({ advance_ms, at: moment, reset }: SandboxClockChange) => {
      if ([advance_ms, moment, reset].filter(given => given !== null && given !== undefined).length !== 1)
        throw badRequest('Exactly one of advance_ms, at and reset is required')
      const fixed = reset ? 0 : moment ? Date.parse(moment) - now().getTime() : undefined
      const step = fixed ?? advance_ms!
      const next =
        fixed === undefined ? sql<number>`${offset} + ${step}::float8` : sql<number>`${step}::float8`
      const kept =
        Math.abs(step) <= TEN_YEARS &&
        (await db()
          .insertInto('sandbox_records')
          .values({ id: ID, kind: ID, data: sql`jsonb_build_object('offset_ms', ${step}::float8)` as never })
          .onConflict(conflict =>
            conflict
              .column('id')
              .doUpdateSet({ data: sql`jsonb_build_object('offset_ms', ${next})` as never })
              .where(sql`abs(${next})`, '<=', TEN_YEARS),
          )
          .returning(offset.as('ms'))
          .executeTakeFirst())
      if (!kept) throw badRequest('The sandbox’s clock keeps within ten years of the server’s')
      return { now: at(kept.ms).toISOString(), offset_ms: kept.ms } satisfies SandboxClock
    },
  }
}
export type Clock = ReturnType<typeof createClock>
