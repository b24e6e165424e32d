import type { Report, Row } from './report'

const WIDTH = 860
const LINE_HEIGHT = 34
const LEFT = 250
const RIGHT = 110
const TOP = 60
const FLOOR_COLOR = '#9aa5b1'
const MET_COLOR = '#2f855a'
const MISSED_COLOR = '#c05621'

const escapeXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;')

/** Draws the CPU a request beside the floor's; a mark shows how long each line may be. */
export function toPlot({ date, machine, scale, rows }: Report) {
  // Hashing a password takes a thousand times as long as anything else.
  const lines = rows.filter(({ name }) => name !== 'login')
  const lengths = lines.map(({ floor, kiraya, bar = 0 }) => Math.max(kiraya.cpuUs, floor.cpuUs * bar))
  const longest = Math.max(1, ...lengths)
  const scaleX = (value: number) => ((value / longest) * (WIDTH - LEFT - RIGHT)).toFixed(1)
  const drawn = lines.map((row, index) => drawLine(row, TOP + index * LINE_HEIGHT, scaleX))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${70 + lines.length * LINE_HEIGHT}" font-family="sans-serif" font-size="13" fill="#1a202c">
<rect width="100%" height="100%" fill="#fff"/>
<text x="12" y="24" font-size="15">CPU of the server a request, Kiraya (coloured) beside the floor (grey); the mark is the bar</text>
<text x="12" y="43" font-size="11">${escapeXml(`${date.slice(0, 10)}, ${machine}, ${scale} properties`)}</text>
${drawn.join('\n')}
</svg>
`
}

function drawLine({ what, bar, ratio, floor, kiraya }: Row, y: number, scaleX: (value: number) => string) {
  const color = bar === undefined || ratio <= bar ? MET_COLOR : MISSED_COLOR
  const mark = LEFT + Number(scaleX(floor.cpuUs * (bar ?? 0)))
  const end = LEFT + Number(scaleX(kiraya.cpuUs)) + 6
  const parts = [
    `<text x="${LEFT - 8}" y="${y + 16}" text-anchor="end">${escapeXml(what)}</text>`,
    `<rect x="${LEFT}" y="${y}" width="${scaleX(floor.cpuUs)}" height="11" fill="${FLOOR_COLOR}"/>`,
    `<rect x="${LEFT}" y="${y + 12}" width="${scaleX(kiraya.cpuUs)}" height="11" fill="${color}"/>`,
    `<text x="${end}" y="${y + 22}" font-size="11">${kiraya.cpuUs.toFixed(0)} µs, ${ratio.toFixed(2)} ×</text>`,
  ]
  if (bar !== undefined)
    parts.push(
      `<line x1="${mark}" x2="${mark}" y1="${y + 9}" y2="${y + 26}" stroke="#1a202c" stroke-width="2"/>`,
    )
  return parts.join('\n')
}
