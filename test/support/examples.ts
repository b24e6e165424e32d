import { join } from 'node:path'
import { Glob } from 'bun'
import type { RecordedExample } from '../../server/http/openapi/examples'

type Examples = Record<string, RecordedExample>

const root = join(import.meta.dir, '../..')
const found = [...new Glob('server/**/examples.json').scanSync({ cwd: root, absolute: true })].toSorted()

/** The recorded examples, which lie beside their nouns; routes have the same objects. */
export const exampleFiles = await Promise.all(
  found.map(async file => ({ file, examples: (await import(file)).default as Examples })),
)
export const recordedExamples: Examples = Object.assign({}, ...exampleFiles.map(({ examples }) => examples))
