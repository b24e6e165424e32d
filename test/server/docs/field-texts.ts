import { join } from 'node:path'
import { Glob } from 'bun'

const FOLDER = join(import.meta.dir, '../../../sdk/types')
const INTERFACE = /^export interface (\w+)(?: extends ([^{]+))? \{\n([\s\S]*?)^\}/gm
const FIELD = /^ {2}\/\*\*([\s\S]*?)\*\/\n {2}(?:readonly )?(\w+)\??:/gm

/** The texts of fields by the name of their schema. */
export type FieldTexts = Record<string, Record<string, string>>

/** Reads what the SDK's types say of each field, so that the API's description says the same. */
export async function readFieldTexts(): Promise<FieldTexts> {
  const own: FieldTexts = {}
  const parents: Record<string, string[]> = {}
  for (const file of [...new Glob('*.ts').scanSync(FOLDER)].toSorted()) {
    const source = await Bun.file(join(FOLDER, file)).text()
    for (const [, name = '', bases = '', body = ''] of source.matchAll(INTERFACE)) {
      own[name] = readFields(body)
      parents[name] = [...bases.matchAll(/\b[A-Z]\w+/g)].map(([base]) => base)
    }
  }
  const collect = (name: string): Record<string, string> =>
    Object.assign({}, ...(parents[name] ?? []).map(collect), own[name])
  return Object.fromEntries(Object.keys(own).map(name => [name, collect(name)]))
}

const readFields = (body: string) =>
  Object.fromEntries(
    [...body.matchAll(FIELD)].map(([, comment = '', field = '']) => [field, toSentence(comment)]),
  )

/** A comment in one line, without the full stop at its end, as the other short texts of the description. */
const toSentence = (comment: string) =>
  comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
