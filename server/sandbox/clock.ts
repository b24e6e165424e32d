import { sql } from 'kysely'
import type { SandboxClock as ClockView, SandboxClockChange } from '@kiraya/sdk/contract'
import { executeCompiled } from '../../db/compiled-queries'
import { getKysely, type Database, type Db } from '../../db/database'
import type { Deps } from '../deps'
import { refuse } from '../faults'

const MAX_OFFSET_MS = 3652 * 86_400_000
const CLOCK_ID = 'clock'

const storedOffset = sql<number>`(sandbox_records.data->>'offset_ms')::float8`

/**
 * The time of the sandbox is the machine's plus an offset, which is in the database. Outside of production the whole
 * server goes by it: the process that moves it at once, another one when it next looks here, or starts.
 */
export function createSandboxClock({ db, clock }: Deps) {
  const follow = (offsetMs: number): ClockView => {
    clock.setOffset(offsetMs)
    const now = new Date(clock.getMachineTime().getTime() + offsetMs).toISOString()
    return { now, offset_ms: offsetMs }
  }
  return {
    now: async () => new Date(follow(await loadSandboxOffset(db)).now),
    getView: async () => follow(await loadSandboxOffset(db)),
    /** @throws BAD_REQUEST Not exactly one field is given, or the clock would be too far off. */
    move: async (change: SandboxClockChange) =>
      follow(await moveOffset(db, parseMove(change, clock.getMachineTime()))),
  }
}
export type SandboxClock = ReturnType<typeof createSandboxClock>

/** `ms` is the new offset, or what a relative move adds to it. */
type Move = { ms: number; isRelative: boolean }

function parseMove({ advance_ms, at, reset }: SandboxClockChange, machineTime: Date): Move {
  const given = [advance_ms, at, reset].filter(value => value !== null && value !== undefined)
  if (given.length !== 1) throw refuse('sandbox_clock_change_ambiguous')
  if (reset) return { ms: 0, isRelative: false }
  if (at) return { ms: Date.parse(at) - machineTime.getTime(), isRelative: false }
  return { ms: advance_ms!, isRelative: true }
}

/** Returns the milliseconds by which the sandbox has moved the time. */
export async function loadSandboxOffset(db: Database) {
  const [row] = await executeCompiled(db, selectOffset, {})
  return row?.ms ?? 0
}

function selectOffset(db: Db) {
  return db.selectFrom('sandbox_records').where('id', '=', CLOCK_ID).select(storedOffset.as('ms'))
}

/** Moves in one statement, so that concurrent moves add up. */
async function moveOffset(db: Database, { ms, isRelative }: Move) {
  const tooFar = () => refuse('sandbox_clock_out_of_range')
  if (Math.abs(ms) > MAX_OFFSET_MS) throw tooFar()

  const newOffset = isRelative ? sql<number>`${storedOffset} + ${ms}::float8` : sql<number>`${ms}::float8`
  const row = await getKysely(db)
    .insertInto('sandbox_records')
    .values({ id: CLOCK_ID, kind: CLOCK_ID, data: toData(sql`${ms}::float8`) })
    .onConflict(conflict =>
      conflict
        .column('id')
        .doUpdateSet({ data: toData(newOffset) })
        .where(sql`abs(${newOffset})`, '<=', MAX_OFFSET_MS),
    )
    .returning(storedOffset.as('ms'))
    .executeTakeFirst()
  if (!row) throw tooFar()
  return row.ms
}

const toData = (offsetMs: ReturnType<typeof sql>) =>
  sql`jsonb_build_object('offset_ms', ${offsetMs})` as never
