import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import swaggerStylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import * as copy from './browser/copy.ts' with { type: 'text' }
import * as dates from './browser/dates.ts' with { type: 'text' }
import * as depositRecords from './browser/deposit-records.ts' with { type: 'text' }
import * as fillRequest from './browser/fill-request.ts' with { type: 'text' }
import * as filter from './browser/filter.ts' with { type: 'text' }
import * as records from './browser/records.ts' with { type: 'text' }
import * as requests from './browser/requests.ts' with { type: 'text' }
import * as signIn from './browser/sign-in.ts' with { type: 'text' }
import * as start from './browser/start.ts' with { type: 'text' }
import * as theme from './browser/theme.ts' with { type: 'text' }
import style from './style.css' with { type: 'text' }
import { createStaticFile, toHash, type StaticFile } from '../http/static-files'

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

const readFile = (path: string) => () => Bun.file(path).text()
/** The compiler knows a script by what it exports, not as the text that is imported. */
const toText = (script: object) => () => (script as { default: string }).default

/** In the order of their imports: a script knows the names of those that it imports. */
const SOURCES: [name: string, read: () => Promise<string> | string][] = [
  ['swagger-ui.css', readFile(swaggerStylePath)],
  ['swagger-ui-bundle.js', readFile(bundlePath)],
  ['style.css', () => style],
  ['theme.ts', toText(theme)],
  ['copy.ts', toText(copy)],
  ['filter.ts', toText(filter)],
  ['dates.ts', toText(dates)],
  ['deposit-records.ts', toText(depositRecords)],
  ['records.ts', toText(records)],
  ['fill-request.ts', toText(fillRequest)],
  ['requests.ts', toText(requests)],
  ['sign-in.ts', toText(signIn)],
  ['start.ts', toText(start)],
]

export type Assets = {
  /** The address of a file, which changes with its content. */
  getUrl: (name: string) => string
  find: (file: string) => StaticFile | undefined
}

let assets: Promise<Assets> | undefined

/** Reads the files of the pages once, at the first request for one. */
export const loadAssets = () => (assets ??= readAssets())

async function readAssets(): Promise<Assets> {
  const names = new Map<string, string>()
  const files = new Map<string, StaticFile>()
  for (const [name, read] of SOURCES) {
    const text = await read()
    const content = name.endsWith('.ts') ? toJavaScript(text, names) : text
    const [stem, extension] = [name.slice(0, name.lastIndexOf('.')), name.endsWith('.css') ? 'css' : 'js']
    const hashed = `${stem}.${toHash(content)}.${extension}`
    names.set(stem, hashed)
    files.set(
      hashed,
      createStaticFile(extension === 'css' ? CSS : JAVASCRIPT, () => content),
    )
  }
  return {
    getUrl: name => `/assets/${names.get(name)}`,
    find: file => files.get(file),
  }
}

function toJavaScript(text: string, names: Map<string, string>) {
  const script = new Bun.Transpiler({ loader: 'ts' }).transformSync(text)
  // What makes a module of a script for the compiler alone.
  const runnable = script.replace(/^export \{\s*\};?$/m, '')
  return runnable.replace(/from "\.\/([\w-]+)"/g, (_, stem: string) => {
    const file = names.get(stem)
    if (!file)
      throw new Error(`A script of the pages imports ${stem}, which is not among the sources before it`)
    return `from "./${file}"`
  })
}
