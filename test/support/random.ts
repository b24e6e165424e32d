/** A new seed, or that of `SEED=…`, which repeats the choices of a failed run. */
export const chooseSeed = () => Number(process.env.SEED ?? Date.now() % 2 ** 31)

/** Pseudo-random numbers that a seed repeats (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0
  function next() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    /** From 0 up to 1. */
    fraction: next,
    integer,
    chance: (share: number) => next() < share,
    pick: <T>(items: readonly T[]): T => items[integer(0, items.length - 1)]!,
    shuffle: <T>(items: readonly T[]): T[] =>
      items
        .map(item => ({ item, place: next() }))
        .toSorted((a, b) => a.place - b.place)
        .map(({ item }) => item),
  }
}
export type Random = ReturnType<typeof createRandom>
