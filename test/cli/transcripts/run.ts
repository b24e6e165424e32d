import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CancelledError } from '../../../cli/exit-codes'
import { runCli } from '../../../cli/program'
import type { Question } from '../../../cli/questions'
import type { Terminal } from '../../../cli/terminal'
import { createFixedServer, type OtherAnswer } from './answers'
import { files } from './files'

const root = process.cwd()

/** What a line of a transcript begins with. */
const marks = { out: '|', err: '!', request: '>', question: '?', file: '+' }

/** A home with a stored sign-in and some files, in which commands run one after the other. */
export function createHome() {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-transcript-'))
  let other: OtherAnswer | undefined
  const server = createFixedServer(() => other)
  const folder = join(home, '.config/kiraya')
  mkdirSync(folder, { recursive: true })
  const stored = (phone: string) => ({ url: server.url, token: 'a.b.c', phone })
  const credentials = { default: stored('9876543210'), tenant: stored('9123456789') }
  writeFileSync(join(folder, 'credentials.json'), `${JSON.stringify(credentials, null, 2)}\n`, {
    mode: 0o600,
  })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)

  /** Returns the lines that tell what a command did. */
  const run = async (prompt: string) => {
    const { env, args, isPiped } = parsePrompt(prompt)
    other = parseAnswer(env.ANSWER)
    const seen = listFiles(home)
    const lines: string[] = []
    const add = (mark: string, text: string) => {
      for (const line of text.split('\n')) lines.push(`${mark} ${line}`.trimEnd())
    }
    let requestCount = server.requests.length
    const addRequests = () => {
      const added = server.requests.slice(requestCount).map(toRequestLine)
      requestCount = server.requests.length
      for (const line of sortTogether(added, args[0] === 'seed')) add(marks.request, line)
    }
    const tell = (mark: string) => (text: string) => {
      if (isPassingReport(text)) return
      addRequests()
      add(mark, text)
    }
    const terminal = createTerminal(env, { url: server.url, home, isPiped }, tell)
    const exitCode = await runIn(home, terminal.out, () => runCli(args, terminal))
    addRequests()
    for (const [path, text] of listFiles(home))
      if (seen.get(path) !== text) add(marks.file, `${path} ${text}`)
    if (exitCode !== 0) lines.push(`= ${exitCode}`)
    return lines.map(line =>
      toStable(line.replaceAll(server.url, 'http://server.test:443').replaceAll(home, '~')),
    )
  }
  const end = () => {
    server[Symbol.dispose]()
    rmSync(home, { recursive: true })
  }
  return { run, [Symbol.dispose]: end }
}

type Place = { url: string; home: string; isPiped: boolean }
type Tell = (mark: string) => (text: string) => void

function createTerminal(env: Record<string, string>, { url, home, isPiped }: Place, tell: Tell): Terminal {
  const replies = env.REPLIES?.split('|') ?? []
  return {
    env: { HOME: home, KIRAYA_URL: url, KIRAYA_OPS_TOKEN: 'ops', KIRAYA_SANDBOX_TOKEN: 'sandbox', ...env },
    isInteractive: !isPiped,
    isStdoutTty: !isPiped,
    isStderrTty: false,
    columns: Number(env.COLUMNS ?? 100),
    out: tell(marks.out),
    err: tell(marks.err),
    draw: () => {},
    ask: async question => {
      tell(marks.question)(toQuestionLine(question))
      for (;;) {
        const reply = replies.shift()
        if (reply === undefined) throw new CancelledError()
        const given = reply || (question.initial ?? '')
        const mistake = question.findMistake?.(given)
        if (!mistake) return given
        tell(marks.err)(mistake)
      }
    },
    readAll: async () => env.STDIN ?? '',
  }
}

const toQuestionLine = ({ message, initial, placeholder, choices }: Question) =>
  [
    message,
    initial && `[${initial}]`,
    placeholder && `(${placeholder})`,
    choices && `{${choices.join(', ')}}`,
  ]
    .filter(Boolean)
    .join(' ')

type Received = ReturnType<typeof createFixedServer>['requests'][number]

/** Names what counts of a request: who sends it, in which language, whether once, and its body. */
function toRequestLine({ method, path, authorization, idempotencyKey, headers, body }: Received) {
  const traits = [
    authorization?.replace(/^Bearer /, ''),
    headers.get('accept-language'),
    idempotencyKey && 'once',
    headers.get('x-note'),
  ]
  const text = body === undefined ? '' : JSON.stringify(body)
  return `${method} ${path} (${traits.filter(Boolean).join(', ')}) ${text}`.trim()
}

/** Requests that are under way at once arrive in any order: those of `seed`, those to read, or to one path. */
function sortTogether(lines: string[], areParallel: boolean) {
  if (areParallel) return lines.toSorted()
  const runs: string[][] = []
  const toKey = (line = '') => (line.startsWith('GET') ? 'GET' : line.split(' (')[0])
  for (const line of lines) {
    const run = runs.at(-1)
    if (run && toKey(run[0]) === toKey(line)) run.push(line)
    else runs.push([line])
  }
  return runs.flatMap(run => run.toSorted())
}

/** `LANG=hi kiraya … | cat` sets the environment, and runs the command in a pipe. */
function parsePrompt(prompt: string) {
  const words = Array.from(prompt.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g), ([word]) => word)
  const start = words.indexOf('kiraya')
  const isPiped = words.slice(-2).join(' ') === '| cat'
  const args = words.slice(start + 1, isPiped ? -2 : undefined).map(unquote)
  const pairs = words.slice(0, start).map(word => word.split(/=(.*)/s) as [string, string])
  return { env: Object.fromEntries(pairs.map(([name, value]) => [name, unquote(value)])), args, isPiped }
}

const unquote = (word: string) =>
  word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single).replaceAll('\\n', '\n')

/** `ANSWER='GET /path 403 FORBIDDEN reason'` or `ANSWER='GET /path {"field":1}'`. */
function parseAnswer(text?: string): OtherAnswer | undefined {
  if (!text) return undefined
  const [, request, rest] = /^(\S+ \S+) (.*)$/.exec(text) as unknown as [string, string, string]
  if (rest.startsWith('{')) {
    const { headers, warnings, ...fields } = JSON.parse(rest)
    return { request, fields, headers, warnings }
  }
  const [status, code, reason, field] = rest.split(' ')
  const details = field && [{ property: field, constraints: { valid: `${field} is wrong` } }]
  return { request, status: Number(status), error: { code, reason, message: 'No', details } }
}

/** The library of completions prints by itself. */
async function runIn<Result>(folder: string, print: (text: string) => void, work: () => Promise<Result>) {
  process.chdir(folder)
  const { log } = console
  console.log = print
  try {
    return await work()
  } finally {
    console.log = log
    process.chdir(root)
  }
}

/** The files of a folder with their rights and contents. */
function listFiles(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry =>
    entry.isFile(),
  )
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  return new Map(
    paths.map(path => [path, `${(statSync(path).mode & 0o777).toString(8)}\n${readFileSync(path, 'utf8')}`]),
  )
}

/** Whether a text reports progress before the end, which a slow run does more often. */
function isPassingReport(text: string) {
  const [, done, total] = /^(\d+) of (\d+) .* per second$/.exec(text) ?? []
  const [, all, first] = /^(\d+) में से (\d+) .* प्रति सेकंड$/.exec(text) ?? []
  return done !== total || all !== first
}

/** Times, rates and random keys differ from run to run. */
const unstable: [pattern: RegExp, stable: string][] = [
  [/[\u001b\u009b]/g, '␛'],
  [/\u202e/g, '⇤'],
  [/ *\b\d+ ms\b/, ' 0 ms'],
  [/"ms": \d+/, '"ms": 0'],
  [/ time="[\d.]+"/, ' time="0.000"'],
  [/\b[01] s between/, '0 s between'],
  [/\d{5,}( s between| सेकंड का)/, '…$1'],
  [/घड़ी में [01] सेकंड/, 'घड़ी में 0 सेकंड'],
  [/\d+ (per second|प्रति सेकंड)/, '0 $1'],
  [/(idempotency-key\W+)[\da-f-]{36}/, '$1…'],
  [/Bun \d\S+/, 'Bun …'],
  [/("agreement_start_date":"20)\d\d-\d\d-01"/, '$1…'],
  [/("phone_number":")9(?!876543|12345)\d{9}/, '$1…'],
  [/bun\/\d[\d.]+/, 'bun/…'],
]

const toStable = (line: string) =>
  unstable.reduce((text, [pattern, stable]) => text.replace(pattern, stable), line)
