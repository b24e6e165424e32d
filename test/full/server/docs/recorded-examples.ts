import { join } from 'node:path'
import type { Example } from '../../../operations/row'

export type Exchange = { operation: string; request: Example; answer: unknown }

const FILE = join(import.meta.dir, '../../../../server/http/openapi/examples.json')
const PUBLIC_URL = 'http://localhost:3000'
/** Long lists tell a reader no more than their beginning. */
const MAX_ITEMS = 2
const MAX_LINES = 12
const FILE_START = /^(%PDF-1\.7|RIFF)/

/** Writes what a server answered to the file that the description takes its examples from. */
export async function recordExamples(exchanges: Exchange[], url: string) {
  const recorded = exchanges.map(({ operation, request, answer }) => [
    operation,
    { ...withoutBytes(request), answer: shorten(answer) },
  ])
  const text = JSON.stringify(Object.fromEntries(recorded), null, 2)
  await Bun.write(FILE, `${hideSecrets(text.replaceAll(url, PUBLIC_URL))}\n`)
}

const withoutBytes = ({ body, ...request }: Example) =>
  body instanceof Uint8Array ? request : { ...request, body }

/** An example of a token must not look like one that was stolen. */
const hideSecrets = (text: string) =>
  text.replace(/(eyJ[\w-]{10})[\w-]*\.[\w-]+\.[\w-]+/g, '$1.eyJzdWIiOiIxIn0.the-signature')

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return shortenText(value)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(shorten)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shorten(part)]))
}

function shortenText(text: string) {
  const [start] = FILE_START.exec(text) ?? []
  if (start) return `${start} …`
  return text.split('\n').slice(0, MAX_LINES).join('\n')
}
