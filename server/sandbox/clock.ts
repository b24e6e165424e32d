import type { SandboxClock as ClockView, SandboxClockChange } from '@kiraya/sdk/contract'
import type { Database } from '../../db/database'
import type { Deps } from '../deps'
import { refuse } from '../errors'
import { createRecordStore } from './record-store'

const MAX_OFFSET_MS = 3652 * 86_400_000
const CLOCK_ID = 'clock'

type StoredClock = { offset_ms: number }
const getStore = (db: Database) => createRecordStore<StoredClock>(db, 'clock')

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

    /**
     * Moves under a row lock, so that concurrent moves add up.
     * @throws BAD_REQUEST Not exactly one field is given, or the clock would be too far off.
     */
    move: async (change: SandboxClockChange) => {
      const machineTime = clock.getMachineTime()
      await getStore(db).add(CLOCK_ID, { offset_ms: 0 }, machineTime)
      const moved = await getStore(db).update(CLOCK_ID, ({ offset_ms }) => ({
        offset_ms: toOffset(change, offset_ms, machineTime),
      }))
      return follow(moved!.offset_ms)
    },
  }
}
export type SandboxClock = ReturnType<typeof createSandboxClock>

function toOffset({ advance_ms, at, reset }: SandboxClockChange, before: number, machineTime: Date): number {
  const given = [advance_ms, at, reset].filter(value => value !== null && value !== undefined)
  if (given.length !== 1) throw refuse('sandbox_clock_change_ambiguous')
  if (reset) return 0
  const offsetMs = at ? Date.parse(at) - machineTime.getTime() : before + advance_ms!
  if (Math.abs(offsetMs) > MAX_OFFSET_MS) throw refuse('sandbox_clock_out_of_range')
  return offsetMs
}

/** Returns the milliseconds by which the sandbox has moved the time. */
export async function loadSandboxOffset(db: Database) {
  const stored = await getStore(db).find(CLOCK_ID)
  return stored?.offset_ms ?? 0
}
