/** The two generations of clients. How their rules differ is data here; how they write JSON is in the dialect. */
export const variantPolicies = {
  a: { variant: 'a', otpLifetimeMs: 10 * 60_000, disclosesAccount: false },
  b: { variant: 'b', otpLifetimeMs: 5 * 60_000, disclosesAccount: true },
} as const

export type Variant = keyof typeof variantPolicies
export type Policy = (typeof variantPolicies)[Variant]
