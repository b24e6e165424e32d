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
    const digest = createHash('sha256').update(`${this.seed}/${name}`).digest()
    return min + (digest.readUIntBE(0, 6) % (max - min + 1))
  }

  pick<Item>(name: string, items: readonly Item[]): Item {
    return items[this.integer(name, 0, items.length - 1)]!
  }

  phone(name: string, firstDigit: 8 | 9) {
    return String(firstDigit * 1_000_000_000 + this.integer(name, 0, 999_999_999))
  }
}
