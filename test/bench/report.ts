import { getMedian } from './load'

/** One server's figures in a round. */
export type Figures = { perSecond: number; p50: number; p99: number; cpuUs: number }
export type Round = { floor: Figures | undefined; kiraya: Figures }
export type Row = {
  name: string
  what: string
  bar?: number
  /** Kiraya's CPU over the floor's, if the case has a floor whose CPU could be measured. */
  ratio?: number
  requests: number
  floor?: Figures
  kiraya: Figures
  rssMb: number
}
export type MemoryFigure = { what: string; floorMb: number; kirayaMb: number; bar?: number }
export type StartFigure = { what: string; value: number; unit: string; bar: number }
export type Report = {
  date: string
  machine: string
  scale: string
  rounds: number
  settings: string
  rows: Row[]
  memory: MemoryFigure[]
  starts: StartFigure[]
}

type CaseFigures = Pick<Row, 'name' | 'what' | 'bar' | 'requests' | 'rssMb'>

/** Takes medians over the rounds; that of the rounds' ratios is what a busy moment shifts least. */
export function toRow(about: CaseFigures, rounds: Round[]): Row {
  const floors = rounds.flatMap(({ floor }) => floor ?? [])
  const ratios = rounds.flatMap(({ floor, kiraya }) => (floor?.cpuUs ? kiraya.cpuUs / floor.cpuUs : []))
  return {
    ...about,
    ratio: ratios.length ? getMedian(ratios) : undefined,
    floor: floors.length ? getMedianFigures(floors) : undefined,
    kiraya: getMedianFigures(rounds.map(round => round.kiraya)),
  }
}

const getMedianFigures = (all: Figures[]): Figures => ({
  perSecond: getMedian(all.map(figures => figures.perSecond)),
  p50: getMedian(all.map(figures => figures.p50)),
  p99: getMedian(all.map(figures => figures.p99)),
  cpuUs: getMedian(all.map(figures => figures.cpuUs)),
})

function toMarkdownTable(head: string[], rows: string[][]) {
  const rule = head.map((_, index) => (index ? '---:' : '---'))
  return [head, rule, ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

const formatVerdict = (value?: number, bar?: number) => {
  if (value === undefined || bar === undefined) return ''
  return value <= bar ? 'yes' : '**no**'
}
const formatBar = (bar?: number) => String(bar ?? '')
const format = (value: number | undefined, digits = 0) => value?.toFixed(digits) ?? '–'
const formatMs = (value?: number) => format(value, value && value < 10 ? 2 : 1)

export function toMarkdown(report: Report) {
  const { date, machine, scale, rounds, settings, rows, memory, starts } = report
  const parts = [`${date.slice(0, 10)}, ${machine}; ${scale} properties, ${rounds} rounds. ${settings}`]
  if (rows.length) parts.push(toCasesTable(rows))
  if (memory.length) parts.push(toMemoryTable(memory))
  if (starts.length) parts.push(toStartsTable(starts))
  return `${parts.join('\n\n')}\n`
}

const CASES_HEAD = 'work|CPU µs a request|floor|ratio|bar|met|requests/s|floor|p50 ms|p99 ms|floor p99'

function toCasesTable(rows: Row[]) {
  const toCells = ({ what, bar, ratio, floor, kiraya }: Row) => [
    what,
    format(kiraya.cpuUs),
    format(floor?.cpuUs),
    format(ratio, 2),
    formatBar(bar),
    formatVerdict(ratio, bar),
    format(kiraya.perSecond),
    format(floor?.perSecond),
    formatMs(kiraya.p50),
    formatMs(kiraya.p99),
    formatMs(floor?.p99),
  ]
  return toMarkdownTable(CASES_HEAD.split('|'), rows.map(toCells))
}

function toMemoryTable(memory: MemoryFigure[]) {
  const toCells = ({ what, kirayaMb, floorMb, bar }: MemoryFigure) => [
    what,
    kirayaMb.toFixed(0),
    floorMb.toFixed(0),
    formatBar(bar),
    formatVerdict(kirayaMb, bar),
  ]
  return toMarkdownTable(['memory', 'MB', 'floor', 'bar', 'met'], memory.map(toCells))
}

function toStartsTable(starts: StartFigure[]) {
  const toCells = ({ what, value, unit, bar }: StartFigure) => [
    what,
    `${value.toFixed(unit === 'ms' ? 0 : 2)} ${unit}`,
    `${bar} ${unit}`,
    formatVerdict(value, bar),
  ]
  return toMarkdownTable(['start and size', 'measured', 'bar', 'met'], starts.map(toCells))
}

const COMPARISON_HEAD = "work|CPU µs before|now|change|floor's change|ratio before|now|p99 ms"

/** Compares the cases that both runs have; only a floor in both runs tells a change of the machine from one of the code. */
export function toComparison(before: Report, after: Report) {
  const formatChange = (now?: number, earlier?: number) =>
    now && earlier ? `${format(now / earlier, 2)} ×` : '–'
  const rows = after.rows.flatMap(row => {
    const old = before.rows.find(({ name }) => name === row.name)
    if (!old) return []
    const cells = [
      row.what,
      format(old.kiraya.cpuUs),
      format(row.kiraya.cpuUs),
      formatChange(row.kiraya.cpuUs, old.kiraya.cpuUs),
      formatChange(row.floor?.cpuUs, old.floor?.cpuUs),
      format(old.ratio, 2),
      format(row.ratio, 2),
      `${formatMs(old.kiraya.p99)} → ${formatMs(row.kiraya.p99)}`,
    ]
    return [cells]
  })
  const title = `Against ${before.date.slice(0, 16)}, ${before.scale} properties:`
  return `${title}\n\n${toMarkdownTable(COMPARISON_HEAD.split('|'), rows)}\n`
}
