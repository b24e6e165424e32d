import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import stringWidth from 'string-width'

/** The terminal and the environment that a command runs in. */
export type Terminal = {
  env: Record<string, string | undefined>
  /** Whether stdin is a terminal, so that the user can answer questions. */
  isInteractive: boolean
  /** Whether stdout is a terminal, rather than a pipe or a file. */
  isStdoutTty: boolean
  /** Writes a line to stdout. */
  out: (text: string) => void
  /** Writes a line to stderr. */
  err: (text: string) => void
  ask: (question: string) => Promise<string>
  /** Reads stdin to its end, without the last line break. */
  readAll: () => Promise<string>
}

export const createTerminal = (): Terminal => ({
  env: process.env,
  isInteractive: Boolean(process.stdin.isTTY),
  isStdoutTty: Boolean(process.stdout.isTTY),
  out: text => void process.stdout.write(`${text}\n`),
  err: text => void process.stderr.write(`${text}\n`),
  ask: askOnStderr,
  readAll: async () => {
    const all = await text(process.stdin)
    return all.replace(/\r?\n$/, '')
  },
})

/** Questions go to stderr, because stdout carries only data. */
async function askOnStderr(question: string) {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const reply = await prompt.question(`${question} `)
    return reply.trim()
  } finally {
    prompt.close()
  }
}

const CONTROL_AND_DIRECTION = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Text from a server must not control the terminal, so control and direction characters become blanks. */
export const sanitizeText = (value: unknown) => toText(value).replace(CONTROL_AND_DIRECTION, ' ')

function toText(value: unknown) {
  if (value === null || value === undefined) return '–'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type Row = Record<string, unknown>

/** Renders rows as aligned columns under a heading. */
export function toTable(rows: Row[], columns: readonly string[]) {
  const heading = columns.map(column => column.toUpperCase())
  const body = rows.map(row => columns.map(column => sanitizeText(row[column])))
  const lines = [heading, ...body]
  const widths = columns.map((_, index) => Math.max(...lines.map(cells => stringWidth(cells[index]!))))

  const padCell = (cell: string, index: number) => cell + ' '.repeat(widths[index]! - stringWidth(cell))
  return lines.map(cells => cells.map(padCell).join('  ').trimEnd()).join('\n')
}

/** Renders a record with one field a line, followed by a table for each list of records in it. */
export function toRecordText(record: Row) {
  const names = Object.keys(record)
  const nameWidth = Math.max(...names.map(name => name.length))
  const lines: string[] = []
  const tables: string[] = []
  for (const name of names) {
    const value = record[name]
    if (isRowList(value)) tables.push(`\n${name}`, toTable(value, selectColumns(value)))
    else lines.push(`${name.padEnd(nameWidth)}  ${sanitizeText(value)}`)
  }
  return [...lines, ...tables].join('\n')
}

const isRowList = (value: unknown): value is Row[] => Array.isArray(value) && typeof value[0] === 'object'

const MAX_NESTED_COLUMNS = 8

/** Skips columns without a plain value in any row. */
function selectColumns(rows: Row[]) {
  const isPlain = (value: unknown) => value !== null && typeof value !== 'object'
  const columns = Object.keys(rows[0]!).filter(column => rows.some(row => isPlain(row[column])))
  return columns.slice(0, MAX_NESTED_COLUMNS)
}
