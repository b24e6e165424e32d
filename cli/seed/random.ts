import { createHash } from 'node:crypto'

/** Choices that depend on the seed and on their own name alone, so that none shifts another. */
export class Random {
  constructor(readonly seed: string) {}

  /** Choices of a part, independent of all others. */
  at(name: string) {
    return new Random(`${this.seed}/${name}`)
  }

  /** From `min` to `max`, both included. */
  integer(name: string, min: number, max: number) {
    return min + this.#choose(name, max - min + 1)
  }

  pick<Item>(name: string, items: readonly Item[]): Item {
    return items[this.#choose(name, items.length)]!
  }

  /** A mobile number with the given first digit. */
  phone(name: string, firstDigit: 8 | 9) {
    return `${firstDigit}${String(this.#choose(name, 1_000_000_000)).padStart(9, '0')}`
  }

  #choose(name: string, count: number) {
    const digest = createHash('sha256').update(`${this.seed}/${name}`).digest()
    return digest.readUIntBE(0, 6) % count
  }
}
