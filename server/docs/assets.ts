import bundlePath from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import swaggerStylePath from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import * as copy from './browser/copy.ts' with { type: 'text' }
import * as reference from './browser/reference.ts' with { type: 'text' }
import * as theme from './browser/theme.ts' with { type: 'text' }
import base from '../pages/base.css' with { type: 'text' }
import style from './style.css' with { type: 'text' }
import { createStaticFile, toHash, type StaticFile } from '../http/static-files'

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' }

const readFile = (path: string) => () => Bun.file(path).text()
/** The compiler knows a script by what it exports, not as the text that is imported. */
const toJavaScript = (script: object) => () =>
  new Bun.Transpiler({ loader: 'ts' }).transformSync((script as { default: string }).default)

const SOURCES: Record<string, () => Promise<string> | string> = {
  'swagger-ui.css': readFile(swaggerStylePath),
  'swagger-ui-bundle.js': readFile(bundlePath),
  'style.css': () => base + style,
  'theme.js': toJavaScript(theme),
  'copy.js': toJavaScript(copy),
  'reference.js': toJavaScript(reference),
}

export type Assets = Awaited<ReturnType<typeof readAssets>>

let assets: Promise<Assets> | undefined

/** Reads the files of the pages once, at the first request for one. */
export const loadAssets = () => (assets ??= readAssets())

async function readAssets() {
  const names = new Map<string, string>()
  const files = new Map<string, StaticFile>()
  for (const [name, read] of Object.entries(SOURCES)) {
    const content = await read()
    const [stem, extension] = name.split('.') as [string, keyof typeof TYPES]
    const hashed = `${stem}.${toHash(content)}.${extension}`
    names.set(name, hashed)
    files.set(
      hashed,
      createStaticFile(TYPES[extension], () => content),
    )
  }
  return {
    /** The address of a file, which changes with its content. */
    getUrl: (name: string) => `/assets/${names.get(name)}`,
    find: (file: string) => files.get(file),
  }
}
