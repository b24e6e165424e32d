/** Prints one line of what was measured for a promise. */
export const report = (promise: string, figures: Record<string, unknown>) =>
  console.log(JSON.stringify({ promise, ...figures }))

export const runTogether = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** Repeats a question until its answer is yes. */
export async function waitUntil(isDone: () => boolean | Promise<boolean>, what: string, timeoutMs = 30_000) {
  const deadline = performance.now() + timeoutMs
  while (!(await isDone())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${timeoutMs} ms`)
    await Bun.sleep(20)
  }
}

export function getQuantile(values: number[], share: number) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

export const roundTo = (value: number, digits = 1) => Number(value.toFixed(digits))
