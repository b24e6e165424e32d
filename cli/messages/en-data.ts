/** What the commands say that run many requests: `smoke`, `seed`, `import` and `export`. */
export const enData = {
  smoke_failed: ({ step }: { step: string }) => `${step}: failed`,
  smoke_passed: ({ steps }: { steps: number }) => `All ${steps} steps passed`,
  smoke_skipped: ({ steps }: { steps: number }) => `${steps} steps were skipped`,
  smoke_step_unknown: ({ name, names }: { name: string; names: string }) =>
    `--only has an unknown step: ${name}. The steps are ${names}`,
  progress: ({ done, total, unit, rate }: { done: number; total: number; unit: string; rate: number }) =>
    `${done} of ${total} ${unit}, ${rate} per second`,
  next_seeded: ({ phone, otp }: { phone: string; otp: string }) =>
    `Next: kiraya login --phone ${phone} --otp ${otp}`,
  seed_production: ({ url }: { url: string }) => `Create demo data on ${url}, which may be in production`,
  seed_without_sandbox: 'This server has no sandbox, so nobody can sign in with a known one-time password',
}
