/**
 * The time of the server: the machine's and, outside of production, what the sandbox has moved it by. All times that
 * are stored or shown are of this clock. Waits and deadlines are not, so that a move ends none of them
 * (`performance.now`), nor are the times of the job queue (pg-boss: PostgreSQL's) and a token's `iat`.
 */
export function createMovableClock(getMachineTime: () => Date, isProduction: boolean) {
  let offsetMs = 0
  return {
    now: () => new Date(getMachineTime().getTime() + offsetMs),
    getMachineTime,
    setOffset: (ms: number) => {
      if (!isProduction) offsetMs = ms
    },
  }
}
export type MovableClock = ReturnType<typeof createMovableClock>
