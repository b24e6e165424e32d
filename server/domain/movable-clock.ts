/** The time of the server: the machine's and, outside of production, what the sandbox has moved it by. */
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
