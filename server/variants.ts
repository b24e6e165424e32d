/** The two generations of clients. What they differ in beyond their dialect is a value here. */
export const policies = {
  a: { variant: 'a', otpLifetimeMs: 10 * 60_000, tellsOfAccount: false },
  b: { variant: 'b', otpLifetimeMs: 5 * 60_000, tellsOfAccount: true },
} as const

export type Variant = keyof typeof policies
export type Policy = (typeof policies)[Variant]
