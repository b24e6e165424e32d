import { expect } from 'bun:test'
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>
type Glyph = { unicode: string; width: number }
type Matrix = ArrayLike<number>
type StructureNode = { role?: string; type?: string; id?: string; alt?: string; children?: StructureNode[] }

/** What is drawn next: its tag, colour and font. */
type Pen = { tag: string; fill: string; stroke: string; lineWidth: number; font: string; at: string }

const round = (value: number) => Math.round(value * 10) / 10
const toNumbers = (numbers: ArrayLike<number>) => Array.from(numbers, round).join(' ')

const isRecording = process.env.RECORD === 'pdf'

/** Compares what a PDF draws with a transcript. RECORD=pdf writes it anew, for you to read what changed. */
export async function expectDrawn(bytes: Uint8Array, file: string) {
  const told = await describePdf(bytes)
  if (isRecording) await Bun.write(file, told)
  expect(told).toBe(await Bun.file(file).text())
}

/** Describes what a PDF draws and says, a line for each text and line, so that a test can compare all of it. */
export async function describePdf(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes)) // it detaches what it reads
  const info: Record<string, unknown> = { ...(await pdf.getMetadata()).info }
  const facts = ['PDFFormatVersion', 'Language', 'Title', 'Author', 'Creator', 'CreationDate', 'ModDate']
  const lines = facts.map(name => `${name}: ${info[name]}`)
  lines.push(`ViewerPreferences: ${JSON.stringify(await pdf.getViewerPreferences())}`)
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    lines.push('', `page ${number}: ${toNumbers(page.view)}`, ...(await describePage(page)))
    lines.push(...describeStructure(await page.getStructTree()))
  }
  return `${lines.join('\n')}\n`
}

async function describePage(page: Page): Promise<string[]> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const nameOf = Object.fromEntries(Object.entries(OPS).map(([name, code]) => [code, name]))
  const pen: Pen = { tag: '', fill: '#000000', stroke: '#000000', lineWidth: 1, font: '', at: '' }
  const lines: string[] = []
  for (const [index, code] of fnArray.entries()) {
    const line = draw(page, pen, nameOf[code]!, argsArray[index] ?? [])
    if (line) lines.push(line)
  }
  return lines
}

/** Applies an operator to the pen; returns the line of what it draws. */
function draw(page: Page, pen: Pen, operator: string, args: any[]): string | undefined {
  const [first, second, third] = args
  switch (operator) {
    case 'beginMarkedContentProps':
      if (first !== 'Span') pen.tag = first
      return undefined
    case 'setFillRGBColor':
      pen.fill = first
      return undefined
    case 'setStrokeRGBColor':
      pen.stroke = first
      return undefined
    case 'setLineWidth':
      pen.lineWidth = round(first)
      return undefined
    case 'setFont':
      pen.font = `${page.commonObjs.get(first).name.replace(/^[A-Z]+\+/, '')} ${second}`
      return undefined
    case 'setTextMatrix':
      pen.at = toPlace(first)
      return undefined
    case 'setGState':
      return `state ${JSON.stringify(first)}`
    case 'showText':
      return `${pen.tag} ${pen.at} ${pen.fill} ${pen.font} ${describeText(first)}`
    case 'constructPath':
      return `${pen.tag} path ${toNumbers(third)} ${pen.stroke} ${pen.lineWidth} ${describePath(second)}`
    case 'transform':
      return isFlip(args) ? undefined : `transform ${toNumbers(args)}`
    default:
      return undefined
  }
}

/** Each page and each text begin by turning the page upside down. */
const isFlip = ([a, b, c, d]: number[]) => a === 1 && b === 0 && c === 0 && d === -1

const toPlace = (matrix: Matrix) => toNumbers(Array.from(matrix).slice(4))

/** A text with its width in thousandths of the font size. */
function describeText(parts: (Glyph | number)[]) {
  const text = parts.map(part => (typeof part === 'number' ? '' : part.unicode)).join('')
  const width = parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? -part : part.width), 0)
  return `${Math.round(width)} ${text}`
}

/** The path itself can be long; its hash shows a change. */
const describePath = ([path]: [ArrayLike<number>]) =>
  path.length < 12 ? '' : `${path.length} numbers, ${Bun.hash(toNumbers(path)).toString(16)}`

function describeStructure(node: StructureNode | null, depth = 0): string[] {
  if (!node?.role) return []
  const children = (node.children ?? []).flatMap(child => describeStructure(child, depth + 1))
  const own = `${'  '.repeat(depth)}${node.role}${node.alt ? ` “${node.alt}”` : ''}`
  return node.role === 'Root' ? children : [own, ...children]
}
