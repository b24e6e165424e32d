export const print = (text: string) => void process.stdout.write(`${text}\n`)

export function exitWithError(text: string): never {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
