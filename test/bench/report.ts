import { median } from './load'

/** One server's part of a round. */
export type Figures = { perSecond: number; p50: number; p99: number; cpuUs: number }
export type Row = {
  name: string
  what: string
  bar?: number
  ratio: number
  requests: number
  floor: Figures
  kiraya: Figures
  rssMb: number
}
export type Start = { what: string; value: number; unit: string; bar: number }
export type Report = {
  date: string
  machine: string
  scale: string
  rounds: number
  settings: string
  rows: Row[]
  memory: { what: string; floorMb: number; kirayaMb: number; bar?: number }[]
  endurance: { requests: number; mb: number }[]
  starts: Start[]
}

/** The middle of the rounds; the ratio is the middle of their ratios, which a busy moment shifts least. */
export function rowOf(
  about: Pick<Row, 'name' | 'what' | 'bar' | 'requests' | 'rssMb'>,
  rounds: { floor: Figures; kiraya: Figures }[],
): Row {
  const middle = (who: 'floor' | 'kiraya'): Figures => ({
    perSecond: of(who, 'perSecond'),
    p50: of(who, 'p50'),
    p99: of(who, 'p99'),
    cpuUs: of(who, 'cpuUs'),
  })
  const of = (who: 'floor' | 'kiraya', figure: keyof Figures) =>
    median(rounds.map(round => round[who][figure]))
  return {
    ...about,
    ratio: median(rounds.map(({ floor, kiraya }) => kiraya.cpuUs / floor.cpuUs)),
    floor: middle('floor'),
    kiraya: middle('kiraya'),
  }
}

/** A table in Markdown. */
export const table = (head: string[], rows: string[][]) =>
  [head, head.map((_, index) => (index ? '---:' : '---')), ...rows]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n')
const met = (value: number, bar?: number) => (bar === undefined ? '' : value <= bar ? 'yes' : '**no**')
const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1)

export function markdownOf({
  date,
  machine,
  scale,
  rounds,
  settings,
  rows,
  memory,
  endurance,
  starts,
}: Report) {
  const parts = [`${date.slice(0, 10)}, ${machine}; ${scale} properties, ${rounds} rounds. ${settings}`]
  if (rows.length)
    parts.push(
      table(
        [
          'work',
          'CPU µs a request',
          'floor',
          'ratio',
          'bar',
          'met',
          'requests/s',
          'floor',
          'p50 ms',
          'p99 ms',
          'floor p99',
        ],
        rows.map(({ what, bar, ratio, floor, kiraya }) => [
          what,
          kiraya.cpuUs.toFixed(0),
          floor.cpuUs.toFixed(0),
          ratio.toFixed(2),
          bar?.toFixed(1) ?? '',
          met(ratio, bar),
          kiraya.perSecond.toFixed(0),
          floor.perSecond.toFixed(0),
          ms(kiraya.p50),
          ms(kiraya.p99),
          ms(floor.p99),
        ]),
      ),
    )
  if (memory.length)
    parts.push(
      table(
        ['memory', 'MB', 'floor', 'bar', 'met'],
        memory.map(({ what, kirayaMb, floorMb, bar }) => [
          what,
          kirayaMb.toFixed(0),
          floorMb.toFixed(0),
          String(bar ?? ''),
          met(kirayaMb, bar),
        ]),
      ),
    )
  if (endurance.length)
    parts.push(
      table(
        ['reads of every kind, one after another', 'MB'],
        endurance.map(({ requests, mb }) => [requests.toLocaleString('en'), mb.toFixed(0)]),
      ),
    )
  if (starts.length)
    parts.push(
      table(
        ['start and size', 'measured', 'bar', 'met'],
        starts.map(({ what, value, unit, bar }) => [
          what,
          `${value.toFixed(unit === 'ms' ? 0 : 2)} ${unit}`,
          `${bar} ${unit}`,
          met(value, bar),
        ]),
      ),
    )
  return `${parts.join('\n\n')}\n`
}

/** What became of each case since an earlier run. */
export function comparisonOf(before: Report, after: Report) {
  const changes = after.rows.flatMap(row => {
    const old = before.rows.find(({ name }) => name === row.name)
    const times = (now: number, then: number) => `${(now / then).toFixed(2)} ×`
    return old
      ? [
          [
            row.what,
            old.kiraya.cpuUs.toFixed(0),
            row.kiraya.cpuUs.toFixed(0),
            times(row.kiraya.cpuUs, old.kiraya.cpuUs),
            times(row.floor.cpuUs, old.floor.cpuUs),
            old.ratio.toFixed(2),
            row.ratio.toFixed(2),
            `${ms(old.kiraya.p99)} → ${ms(row.kiraya.p99)}`,
          ],
        ]
      : []
  })
  return `Against ${before.date.slice(0, 16)}, ${before.scale} properties:\n\n${table(['work', 'CPU µs before', 'now', 'change', "floor's change", 'ratio before', 'now', 'p99 ms'], changes)}\n`
}

/** What kind of value stands where, for answers that cannot be equal; a list counts by its first element. */
export const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.slice(0, 1).map(shapeOf)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
      : value === null
        ? null
        : typeof value

const WIDTH = 860
const LINE = 34
const LEFT = 250
const RIGHT = 110
/** Bars of CPU a request beside the floor's; a mark shows how long each may be. */
export function plotOf({ date, machine, scale, rows }: Report) {
  const shown = rows.filter(({ name }) => name !== 'login')
  const longest = Math.max(
    1,
    ...shown.map(({ floor, kiraya, bar = 0 }) => Math.max(kiraya.cpuUs, floor.cpuUs * bar)),
  )
  const x = (value: number) => ((value / longest) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
  const lines = shown.map(({ what, bar, ratio, floor, kiraya }, index) => {
    const y = 60 + index * LINE
    const isWithin = bar === undefined || ratio <= bar
    const mark = LEFT + Number(x(floor.cpuUs * (bar ?? 0)))
    return `<text x="${LEFT - 8}" y="${y + 16}" text-anchor="end">${escaped(what)}</text>
<rect x="${LEFT}" y="${y}" width="${x(floor.cpuUs)}" height="11" fill="#9aa5b1"/>
<rect x="${LEFT}" y="${y + 12}" width="${x(kiraya.cpuUs)}" height="11" fill="${isWithin ? '#2f855a' : '#c05621'}"/>${
      bar === undefined
        ? ''
        : `
<line x1="${mark}" x2="${mark}" y1="${y + 9}" y2="${y + 26}" stroke="#1a202c" stroke-width="2"/>`
    }
<text x="${LEFT + Number(x(kiraya.cpuUs)) + 6}" y="${y + 22}" font-size="11">${kiraya.cpuUs.toFixed(0)} µs, ${ratio.toFixed(2)} ×</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${70 + shown.length * LINE}" font-family="sans-serif" font-size="13" fill="#1a202c">
<rect width="100%" height="100%" fill="#fff"/>
<text x="12" y="24" font-size="15">CPU of the server a request, Kiraya (coloured) beside the floor (grey); the mark is the bar</text>
<text x="12" y="43" font-size="11">${escaped(`${date.slice(0, 10)}, ${machine}, ${scale} properties`)}</text>
${lines.join('\n')}
</svg>
`
}
