/** What the commands say that run many requests: `smoke`, `seed`, `import` and `export`. */
export const enData = {
  smoke_failed: ({ step }: { step: string }) => `${step}: failed`,
  smoke_passed: ({ steps }: { steps: number }) => `All ${steps} steps passed`,
  smoke_skipped: ({ steps }: { steps: number }) => `${steps} steps were skipped`,
  smoke_step_unknown: ({ name, names }: { name: string; names: string[] }) =>
    `--only has an unknown step: ${name}. The steps are ${names.join(', ')}`,
}
