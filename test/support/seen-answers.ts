import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// `bun run test:full` names a folder in ANSWERS, in which every worker notes what is described and what it saw.

type Answer = { operation: string; status: number; reason?: string }

/** More operations than this are counted instead of named. */
const MAX_NAMED = 6
const folder = process.env.ANSWERS
const noted = new Set<string>()

export const isCollecting = folder !== undefined
export const noteDescribed = (answer: Answer) => note('described', answer)
export const noteSeen = (answer: Answer) => note('seen', answer)

/** Writes a line at once, since a worker can be killed. */
function note(kind: 'described' | 'seen', { operation, status, reason = '' }: Answer) {
  const line = [kind, `${status} ${reason}`.trim(), operation].join('\t')
  if (!folder || noted.has(line)) return
  noted.add(line)
  appendFileSync(join(folder, String(process.pid)), `${line}\n`)
}

/** A line for each status and reason that an operation describes and never answered with. */
export function describeUnseen(answers: string) {
  const lines = readdirSync(answers).flatMap(name => readFileSync(join(answers, name), 'utf8').split('\n'))
  const unique = new Set(lines)
  const described = [...unique].filter(line => line.startsWith('described\t'))
  const unseen = described.filter(line => !unique.has(line.replace('described', 'seen')))
  const rows = Map.groupBy(unseen, line => line.split('\t')[1]!)
  const texts = [...rows].toSorted().map(([outcome, each]) => {
    const operations = each.map(line => line.split('\t')[2]!)
    const isLong = operations.length > MAX_NAMED
    return `  ${outcome}: ${isLong ? `${operations.length} operations` : operations.join(', ')}`
  })
  const title = `Of ${described.length} described answers these ${unseen.length} were never seen:`
  return [title, ...texts].join('\n')
}
