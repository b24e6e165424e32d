import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { MONTHS } from '../domain/formats'
import * as fonts from './fonts'
import { toPlainText } from './plain-text'
import type { RenderRequest, RenderResponse } from './render'
import { look, templates } from './templates'

// Runs in a Worker, since a compilation does not yield. The folder of the templates exists in memory alone.

const FOLDER = '/documents'

const fontBlobs = Object.values(fonts).map(file => readFileSync(file))
const compiler = NodeCompiler.create({ workspace: FOLDER, fontArgs: [{ fontBlobs }] })
compiler.addSource(`${FOLDER}/look.typ`, look)

parentPort!.on('message', (request: RenderRequest) => parentPort!.postMessage(respond(request)))

function respond({ id, name, data, language }: RenderRequest): RenderResponse {
  try {
    return {
      id,
      content: compile(templates[name], {
        language,
        months: JSON.stringify(MONTHS[language]),
        data: toJson(data),
      }),
    }
  } catch (error) {
    return { id, error: String(error) }
  } finally {
    // The next document needs some of what this one needed; what is older is dropped, or it would grow.
    compiler.evictCache(1)
  }
}

function compile(mainFileContent: string, inputs: Record<string, string>) {
  const compiled = compiler.compile({ mainFileContent, inputs })
  const { result } = compiled
  if (!result) throw new Error(JSON.stringify(compiled.takeError()?.shortDiagnostics))
  return new Uint8Array(compiler.pdf(result))
}

function toJson(data: object) {
  return JSON.stringify(data, (_key, value) => (typeof value === 'string' ? toPlainText(value) : value))
}
