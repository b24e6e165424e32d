import { expect } from 'bun:test'
import { getDocumentProxy } from 'unpdf'
import { readPdf } from './pdf'

type StructureNode = { role?: string; id?: string; alt?: string; children?: StructureNode[] }

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
async function readTaggedText(bytes: Uint8Array): Promise<string> {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes)) // it detaches what it reads
  const info: Record<string, unknown> = { ...(await pdf.getMetadata()).info }
  const lines = [`${info.Title} (${info.Language}, ${info.CreationDate})`]
  for (const [index, { readMarks, artifacts }] of (await readPdf(bytes)).entries()) {
    const root = (await (await pdf.getPage(index + 1)).getStructTree()) as StructureNode | null
    const tagged = root ? describeNode(root, readMarks) : []
    lines.push('', `page ${index + 1}`, ...tagged.filter(line => !IS_EMPTY.test(line)))
    lines.push(...artifacts.map(text => `Artifact ${text}`))
  }
  return `${lines.join('\n')}\n`
}

function describeNode(node: StructureNode, readMarks: (marks: number[]) => string): string[] {
  const listMarks = ({ id, children = [] }: StructureNode): number[] =>
    id ? [Number(/mc(\d+)$/.exec(id)?.[1])] : children.flatMap(listMarks)
  const toText = (found: StructureNode) => readMarks(listMarks(found))
  const { role, alt, children = [] } = node
  if (alt) return [`${role} “${alt}”`]
  if (ROWS.has(role!)) return [`${role} ${children.map(toText).join(' | ')}`]
  if (children.every(child => !child.role)) return [`${role} ${toText(node)}`]
  return children.flatMap(child => describeNode(child, readMarks))
}
