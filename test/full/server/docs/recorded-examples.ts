import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createApp } from '../../../../server/app'
import type { Deps } from '../../../../server/deps'
import type { RecordedExample } from '../../../../server/http/openapi/examples'
import type { Example } from '../../../operations/row'
import { exampleFiles } from '../../../support/examples'

export type Exchange = { operation: string; request: Example; answer: unknown }

const ROOT = join(import.meta.dir, '../../../..')
const PUBLIC_URL = 'http://localhost:3000'
/** Long lists tell a reader no more than their beginning; lists within records, or of an export, than one item. */
const [MAX_ITEMS, MAX_INNER_ITEMS, INNER_DEPTH] = [2, 1, 3]
const MAX_LINES = 12
const FILE_START = /^(%PDF-1\.7|RIFF)/
const UUID_OR_HASH = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|(?<=")[\w+/]{43}=(?=")/g

/** Describes what a server answered as examples, which differ from earlier ones only for a cause. */
export function toExamples(exchanges: Exchange[], url: string): Record<string, RecordedExample> {
  const stabilize = createStabilizer()
  const examples = exchanges.map(({ operation, request, answer }) => {
    const text = JSON.stringify({ ...withoutBytes(request), answer: shorten(answer) })
    return [operation, JSON.parse(stabilize(operation, text.replaceAll(url, PUBLIC_URL)))]
  })
  return Object.fromEntries(examples)
}

/** Writes examples beside the routes of their operations, which name the file. */
export async function writeExamples(examples: Record<string, RecordedExample>, deps: Deps) {
  const { routes } = createApp(deps)
  const fileByOperation = new Map(
    routes.map(({ method, path, hooks }) => {
      const found = exampleFiles.find(each => each.examples === hooks.detail?.examples)
      return [`${method} ${path.replace(/:(\w+)/g, '{$1}')}`, found?.file]
    }),
  )
  const groups = Map.groupBy(Object.entries(examples), ([operation]) => fileByOperation.get(operation)!)
  for (const [file, group] of groups)
    await Bun.write(file, JSON.stringify(Object.fromEntries(group), null, 2))
  await Bun.$`node_modules/.bin/oxfmt -c .ci/oxfmt.json ${[...groups.keys()]}`.cwd(ROOT).quiet()
}

const withoutBytes = ({ body, ...request }: Example) =>
  body instanceof Uint8Array ? request : { ...request, body }

function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shortenText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const max = depth < INNER_DEPTH ? MAX_ITEMS : MAX_INNER_ITEMS
    return value.slice(0, max).map(item => shorten(item, depth + 1))
  }
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shorten(part, depth + 1)]))
}

function shortenText(text: string) {
  const [start] = FILE_START.exec(text) ?? []
  if (start) return `${start} …`
  return text.split('\n').slice(0, MAX_LINES).join('\n')
}

/** Replaces random values, and those that depend on them, by ones that depend on where they are shown first. */
function createStabilizer() {
  const known = new Map<string, string>()
  return (operation: string, text: string) => {
    let position = 0
    const safe = text
      // An example of a token must not look like one that was stolen.
      .replace(/(eyJ[\w-]{10})[\w-]*\.[\w-]+\.[\w-]+/g, '$1.eyJzdWIiOiIxIn0.the-signature')
      // How well a PDF is compressed depends on the ids in it.
      .replace(/"size":(\d)\d{4}\b/g, '"size":$10000')
    return safe.replace(UUID_OR_HASH, value => {
      const stable = known.get(value) ?? toLikeness(value, `${operation} ${++position}`)
      known.set(value, stable)
      return stable
    })
  }
}

function toLikeness(value: string, label: string) {
  const digest = createHash('sha256').update(label)
  if (value.endsWith('=')) return digest.digest('base64')
  return value.includes('-') ? toUuid(label) : digest.digest('hex')
}

export const toUuid = (label: string) =>
  createHash('sha256')
    .update(label)
    .digest('hex')
    .replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-8$4-$5')
