/** The two generations of clients. What they differ in beyond their dialect is a value here. */
export const variantPolicies = {
  a: { variant: 'a', otpLifetimeMs: 10 * 60_000, disclosesAccount: false },
  b: { variant: 'b', otpLifetimeMs: 5 * 60_000, disclosesAccount: true },
} as const

export type Variant = keyof typeof variantPolicies
export type Policy = (typeof variantPolicies)[Variant]
