import { appendValue } from '../input/flags'
import { readGivenFile } from '../output/files'
import type { Context } from '../runtime/context'
import { ExitError, toExitCode, UsageError } from '../runtime/errors'
import type { Verb } from '../runtime/verbs'

type Options = {
  field?: string[]
  rawField?: string[]
  header?: string[]
  input?: string
  paginate?: boolean
}
type Body = Record<string, unknown>
type Page = { data?: unknown; metadata?: { page: number; total_pages: number } }

export const verb: Verb = command =>
  command
    .argument('<method>', 'GET, POST, PUT, PATCH or DELETE')
    .argument('<path>', 'such as /properties')
    .option(
      '-F, --field <name=value>',
      'field of JSON: a number, true, null, a list, else a text',
      appendValue<string>,
    )
    .option('-f, --raw-field <name=value>', 'field of text', appendValue<string>)
    .option('-H, --header <name: value>', 'header of the request', appendValue<string>)
    .option('--input <file>', 'file with the body; - is stdin')
    .option('--paginate', 'collect the items of every page of a list')
    .addExamples(
      'kiraya api GET /properties -F limit=5',
      'kiraya api POST /tenants -f phone_number=9123456789',
      'kiraya api GET /agreements --paginate --query "[?status==\'ACTIVE\'].agreement_number"',
    )
    .run(async (context, method: string, path: string, options: Options) => {
      const request = await createRequest(context, method.toUpperCase(), path, options)
      if (options.paginate) context.showJson(await collectPages(context, request))
      else await showResponse(context, await send(context, request))
    })

type ApiRequest = { method: string; url: URL; headers: Headers; body?: string }

async function createRequest(context: Context, method: string, path: string, options: Options) {
  const fields = toFields(options)
  const url = new URL(`${context.baseUrl}/${path.replace(/^\/+/, '')}`)
  const request: ApiRequest = { method, url, headers: toHeaders(context, options) }
  const isRead = method === 'GET'
  if (isRead) for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, String(value))
  const text = options.input === undefined ? toJson(fields) : await readInput(context, options.input)
  if (isRead || text === undefined) return request
  request.headers.set('content-type', 'application/json')
  return { ...request, body: text }
}

const toJson = (fields: Body) => (Object.keys(fields).length > 0 ? JSON.stringify(fields) : undefined)

const readInput = async ({ terminal }: Context, file: string) =>
  file === '-' ? terminal.readAll() : String(await readGivenFile(file))

function toHeaders({ token, language }: Context, { header = [] }: Options) {
  const headers = new Headers({ 'accept-language': language })
  if (token) headers.set('authorization', `Bearer ${token}`)
  for (const text of header) {
    const [name, value] = splitAt(text, ':', '--header')
    headers.set(name, value)
  }
  return headers
}

function toFields({ field = [], rawField = [] }: Options): Body {
  const raw = rawField.map(text => splitAt(text, '=', '--raw-field'))
  const typed = field.map(text => {
    const [name, value] = splitAt(text, '=', '--field')
    return [name, parseJson(value)] as const
  })
  return Object.fromEntries([...raw, ...typed])
}

function splitAt(text: string, separator: string, flag: string): [name: string, value: string] {
  const index = text.indexOf(separator)
  if (index < 1) throw new UsageError(`${flag} must be a name, "${separator}" and a value; it is ${text}`)
  return [text.slice(0, index), text.slice(index + 1)]
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const send = ({ fetch }: Context, { url, ...init }: ApiRequest) =>
  fetch(url, init).catch((cause: unknown) => {
    const message = 'The server is unreachable or the connection was lost'
    throw Object.assign(new Error(message, { cause }), { code: 'NETWORK_ERROR' })
  })

/** Prints the unchanged body of any response. A failure also sets the exit code of its kind. */
async function showResponse(context: Context, response: Response) {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const body: unknown = isJson ? parseJson(text) : text
  if (typeof body !== 'string') context.showJson(body)
  else if (text) context.terminal.out(text)
  if (!response.ok)
    throw new ExitError(`${response.status} ${response.statusText}`, toExitCode(response.status))
}

async function collectPages(context: Context, request: ApiRequest) {
  const items: unknown[] = []
  for (let page = 1, lastPage = 1; page <= lastPage; page++) {
    request.url.searchParams.set('page', String(page))
    const response = await send(context, request)
    const { data, metadata } = response.ok ? ((await response.json()) as Page) : {}
    if (!response.ok) await showResponse(context, response)
    if (!Array.isArray(data) || !metadata) throw new UsageError('--paginate needs the path of a list')
    items.push(...data)
    lastPage = metadata.total_pages
  }
  return items
}
