import { readFileSync } from 'node:fs'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { Language } from '@kiraya/sdk/contract'
import { MONTHS } from '../domain/formats'
import type { DocumentName } from './data'
import * as fonts from './fonts'
import { shared, templates } from './templates'

/** The folder of the templates exists in memory alone. */
const FOLDER = '/documents'

let compiler: NodeCompiler | undefined

/** Compiles a document as a PDF, with its data as JSON. The same data gives the same bytes. */
export function compileDocument({
  name,
  language,
  json,
}: {
  name: DocumentName
  language: Language
  json: string
}) {
  compiler ??= createCompiler()
  try {
    const inputs = { language, months: JSON.stringify(MONTHS[language]), data: json }
    const compiled = compiler.compile({ mainFileContent: templates[name], inputs })
    const { result } = compiled
    if (!result) throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics))
    return new Uint8Array(compiler.pdf(result))
  } finally {
    // The next document needs some of what this one needed; what is older is dropped, or it would grow.
    compiler.evictCache(1)
  }
}

function createCompiler() {
  const fontBlobs = Object.values(fonts).map(file => readFileSync(file))
  const created = NodeCompiler.create({ workspace: FOLDER, fontArgs: [{ fontBlobs }] })
  for (const [name, text] of Object.entries(shared)) created.addSource(`${FOLDER}/${name}.typ`, text)
  return created
}
