import { expect } from 'bun:test'
import { getDocumentProxy } from 'unpdf'

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>
type StructureNode = { role?: string; id?: string; alt?: string; children?: StructureNode[] }
type Item = { type?: string; tag?: string; id?: string; str?: string; hasEOL?: boolean }

const isRecording = process.env.RECORD === 'pdf'
/** The parts of these stand in one line. */
const ROWS = new Set(['TR', 'LI'])
/** A table that goes on has the tags of all its rows on each page. */
const IS_EMPTY = /^\w+[ |]*$/

/** Compares what a PDF says, a line for each tag, with a transcript. RECORD=pdf writes it anew. */
export async function expectTagged(bytes: Uint8Array, file: string) {
  const told = await readTaggedText(bytes)
  if (isRecording) await Bun.write(file, told)
  expect(told).toBe(await Bun.file(file).text())
}

/** Reads a PDF as a screen reader does: tags, texts, what figures show; then what stands outside the text. */
export async function readTaggedText(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes)) // it detaches what it reads
  const info: Record<string, unknown> = { ...(await pdf.getMetadata()).info }
  const lines = [`${info.Title} (${info.Language}, ${info.CreationDate})`]
  for (let number = 1; number <= pdf.numPages; number++)
    lines.push('', `page ${number}`, ...(await describePage(await pdf.getPage(number))))
  return `${lines.join('\n')}\n`
}

async function describePage(page: Page) {
  const { texts, artifacts } = await readTexts(page)
  const toText = (node: StructureNode): string =>
    node.children?.map(toText).join('') ?? texts.get(node.id ?? '') ?? ''
  function* describe(node: StructureNode): Generator<string> {
    const { role, alt, children = [] } = node
    if (alt) yield `${role} “${alt}”`
    else if (ROWS.has(role!)) yield `${role} ${children.map(toText).map(squeeze).join(' | ')}`
    else if (children.every(child => !child.role)) yield `${role} ${squeeze(toText(node))}`
    else for (const child of children) yield* describe(child)
  }
  const root = (await page.getStructTree()) as StructureNode | null
  const tagged = [...(root ? describe(root) : [])].filter(line => !IS_EMPTY.test(line))
  return [...tagged, ...artifacts.map(text => `Artifact ${text}`)]
}

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The texts by the id of their mark; artifacts have none. */
async function readTexts(page: Page) {
  const { items } = await page.getTextContent({ includeMarkedContent: true })
  const texts = new Map<string, string>()
  const artifacts: string[] = []
  const open: (string | undefined)[] = []
  for (const { type, tag, id, str = '', hasEOL } of items as Item[]) {
    if (type?.startsWith('begin')) open.push(id ?? (tag === 'Artifact' ? tag : open.at(-1)))
    else if (type) open.pop()
    const mark = open.at(-1)
    const text = str + (hasEOL ? ' ' : '')
    if (mark === 'Artifact' && text.trim()) artifacts.push(text.trim())
    else if (mark) texts.set(mark, (texts.get(mark) ?? '') + text)
  }
  return { texts, artifacts }
}
