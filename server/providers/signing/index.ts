import type { SigningAdapter } from './port'
import { flexiAdapter, nativeAdapter } from './setu/index'

/** The adapters by their value of `ESIGN_PROTOCOL`: a new one is a folder and a line here. */
export const signingAdapters = {
  flexi: flexiAdapter,
  native: nativeAdapter,
} satisfies Record<string, SigningAdapter>

export type SigningProtocol = keyof typeof signingAdapters

/** Turns `A | B` into `A & B`. */
type Intersect<T> = (T extends unknown ? (each: T) => void : never) extends (all: infer All) => void
  ? All
  : never

/** The settings of all adapters, by name. */
export const signingSettings = Object.assign(
  {},
  ...Object.values(signingAdapters).map(({ settings }) => settings),
) as Intersect<(typeof signingAdapters)[SigningProtocol]['settings']>
