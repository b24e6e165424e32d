export const print = (text: string) => void process.stdout.write(`${text}\n`)

export function exitWithError(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

/** Returns the number of properties for `--scale`. */
export function readScale(scales: Record<string, number>, scale: string) {
  return scales[scale] ?? exitWithError(`--scale must be one of ${Object.keys(scales).join(', ')}`)
}
