import { createInterface } from 'node:readline/promises'

/** The terminal and the environment, as commands are handed them. */
export type Terminal = {
  env: Record<string, string | undefined>
  /** Whether a person can be asked: only where stdin is a terminal. */
  isInteractive: boolean
  /** Whether a person reads stdout, rather than a program. */
  isStdoutTty: boolean
  out: (text: string) => void
  err: (text: string) => void
  ask: (question: string) => Promise<string>
  readAll: () => Promise<string>
}

export const createTerminal = (): Terminal => ({
  env: process.env,
  isInteractive: !!process.stdin.isTTY,
  isStdoutTty: !!process.stdout.isTTY,
  out: text => void process.stdout.write(`${text}\n`),
  err: text => void process.stderr.write(`${text}\n`),
  ask: async question => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return (await terminal.question(`${question} `)).trim()
    } finally {
      terminal.close()
    }
  },
  readAll: async () => (await Bun.stdin.text()).replace(/\r?\n$/, ''),
})

/** Text of a server's must not steer the terminal: control and direction characters are left out. */
export const sanitizeText = (value: unknown) =>
  (value === null || value === undefined
    ? '–'
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
  ).replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ')

/** Rows under the names of their columns. */
export function toTable(rows: Record<string, unknown>[], columns: readonly string[]) {
  const cells = [
    columns.map(column => column.toUpperCase()),
    ...rows.map(row => columns.map(column => sanitizeText(row[column]))),
  ]
  const widths = columns.map((_, index) => Math.max(...cells.map(row => Bun.stringWidth(row[index]!))))
  return cells
    .map(row =>
      row
        .map((cell, index) => cell + ' '.repeat(widths[index]! - Bun.stringWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** A record, a line a field; lists of records within it follow as tables. */
export function toRecordText(fields: Record<string, unknown>) {
  const width = Math.max(...Object.keys(fields).map(name => name.length))
  const isList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && typeof value[0] === 'object'
  const lines = Object.entries(fields)
    .filter(([, value]) => !isList(value))
    .map(([name, value]) => `${name.padEnd(width)}  ${sanitizeText(value)}`)
  const lists = Object.entries(fields).flatMap(([name, value]) =>
    isList(value)
      ? [
          `\n${name}`,
          toTable(
            value,
            Object.keys(value[0]!)
              .filter(column => value.some(row => row[column] !== null && typeof row[column] !== 'object'))
              .slice(0, 8),
          ),
        ]
      : [],
  )
  return [...lines, ...lists].join('\n')
}
