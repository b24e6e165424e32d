import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createShell } from '../shell'
import { createExampleServer, parseAnswer, type OtherAnswer } from './server'

/** What a line of a transcript begins with. */
const marks = { out: '|', err: '!', request: '>', question: '?', file: '+' }

const files: Record<string, string> = {
  'tap.jpg': 'A picture',
  'body.json': '{"pin_code":560034}',
  'houses.csv': `property,pin_code,property_type,alias_name,common_amenities,unit_name,floor_number,is_available
1,560034,apartment,New,Lift; Gym,A-1,-1,true
1,560034,apartment,,,A-2,2,false
`,
  'wrong.csv': `property,pin_code,property_type,alias_name,unit_name,area_sqft
1,56003,castle,Fine,A-1,large
1,560034,apartment,Other,A-1,
`,
  'flats.csv': `Rent list
Sl. No.,Building,Flat No,Tenant,Mobile,Rent,Advance,From,Period,Balance,Remarks
1,Lakshmi Nivas,101,Mr. Anil Nair,98450 11104 / 98450 11114,"25,000/-",1.5 L,01/04/2026,11 months,500,late
2,,102,Vacant,,24000,,,,,
`,
  'wrong-flats.csv': `Building,Pin,Flat No,Tenant,Mobile,Rent,From,Period
Oak,560 034,101,Anil,98450,"25,00",31/02/2026,long
Oak,,101,Priya,98450 11105,25000,1-Apr-26,11
`,
  'received.csv': 'Date,Agreement No,Amount,Mode\n15/11/2026,AGR-2026-000001,"25,000/-",GPay\n',
  'wrong-landlords.csv':
    'phone,first_name,last_name,email\n9876543211,Ravi,Rao,ravi@\n+91 98765 43211,Asha,Rao,asha@example.com\n',
  'landlords.csv': 'phone,first_name,last_name,email\n+91 98765 43211,Ravi,Rao,ravi@example.com\n',
}

/** Stores two sign-ins and some files in a home. */
function fill(home: string, url: string) {
  const folder = join(home, '.config/kiraya')
  mkdirSync(folder, { recursive: true })
  const store = (phone: string, token: string) => ({ url, token, phone })
  const credentials = { default: store('9876543210', 'a.b.c'), tenant: store('9123456789', 't.b.c') }
  writeFileSync(join(folder, 'credentials.json'), JSON.stringify(credentials), { mode: 0o600 })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, name), text)
}

/** A home in which commands run one after the other, as `NAME=value kiraya …`, and with `| cat` in a pipe. */
export function createHome() {
  let others: OtherAnswer[] = []
  const server = createExampleServer(() => others)
  const shell = createShell(server.url)
  fill(shell.home, server.url)

  function runPrompt(prompt: string) {
    const { env, commandLine, replies } = parsePrompt(prompt)
    others = env.ANSWER ? [parseAnswer(env.ANSWER)] : []
    const options = {
      env: { KIRAYA_OPS_TOKEN: 'ops', KIRAYA_SANDBOX_TOKEN: 'sandbox', ...env },
      stdin: env.STDIN,
      terminal: { columns: Number(env.COLUMNS ?? 100), isStderrTty: false },
    }
    return replies ? shell.ask(commandLine, replies, options) : shell.kiraya(commandLine, options)
  }

  /** Returns the lines that tell what a command did. */
  async function run(prompt: string) {
    const filesBefore = listFiles(shell.home)
    const firstRequest = server.requests.length
    const ran: Ran = await runPrompt(prompt)
    const requests = server.requests.slice(firstRequest).map(toRequestLine)
    const changed = [...listFiles(shell.home)].filter(([path, text]) => filesBefore.get(path) !== text)
    const lines = [
      ...mark(marks.request, sortReads(requests)),
      ...mark(marks.question, ran.questions ?? []),
      ...mark(marks.err, ran.mistakes ?? []),
      ...mark(marks.err, toLines(ran.err)),
      ...mark(marks.out, toLines(ran.out)),
      ...changed.map(([path, text]) => `${marks.file} ${path} ${text}`),
      ...(ran.exitCode === 0 ? [] : [`= ${ran.exitCode}`]),
    ]
    return lines.map(line =>
      toStable(line.replaceAll(server.url, 'http://server.test:443').replaceAll(shell.home, '~')),
    )
  }

  const end = () => {
    server[Symbol.dispose]()
    shell[Symbol.dispose]()
  }
  return { run, [Symbol.dispose]: end }
}

type Ran = { out: string; err: string; exitCode: number; questions?: string[]; mistakes?: string[] }

const toLines = (text: string) => text.split('\n').slice(0, -1)
const mark = (sign: string, lines: string[]) => lines.map(line => `${sign} ${line}`.trimEnd())

function parsePrompt(prompt: string) {
  const [, assignments, commandLine, pipe] = /^(.*?)kiraya ?(.*?)( \| cat)?$/.exec(prompt)!
  const pairs = [...assignments!.matchAll(/(\w+)=(?:'([^']*)'|(\S*))/g)]
  const env: Record<string, string> = Object.fromEntries(
    pairs.map(([, name, quoted, bare]) => [name!, (quoted ?? bare!).replaceAll('\\n', '\n')]),
  )
  const replies = env.REPLIES?.split('|') ?? []
  return { env, commandLine: commandLine!, replies: pipe ? undefined : replies }
}

type Received = ReturnType<typeof createExampleServer>['requests'][number]

/** Names what counts of a request: who sends it, whether once, and its body. */
function toRequestLine({ method, path, authorization, idempotencyKey, headers, body }: Received) {
  const traits = [authorization?.replace('Bearer ', ''), idempotencyKey && 'once', headers.get('x-note')]
  const text = body === undefined ? '' : JSON.stringify(body)
  return `${method} ${path} (${traits.filter(Boolean).join(', ')}) ${text}`.trim()
}

/** Reads that are under way at once arrive in any order. */
function sortReads(lines: string[]) {
  const isRead = (line: string) => line.startsWith('GET')
  const runs = lines.map((line, index) =>
    isRead(line) ? lines.slice(0, index).findLastIndex(each => !isRead(each)) + 0.5 : index,
  )
  const sorted = lines.map((line, index) => ({ line, run: runs[index]! }))
  sorted.sort((a, b) => a.run - b.run || (a.line < b.line ? -1 : 1))
  return sorted.map(({ line }) => line)
}

/** The files of a folder with their rights and contents. */
function listFiles(folder: string) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const describe = (path: string) =>
    `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')
      .trimEnd()
      .replaceAll(/\s*\n\s*/g, ' ')
      .slice(0, 240)}`
  return new Map(paths.toSorted().map(path => [path, describe(path)]))
}

/** Times and random keys differ from run to run. */
const unstable: [pattern: RegExp, stable: string][] = [
  [/[\u001b\u009b]/g, '␛'],
  [/\u202e/g, '⇤'],
  [/ *\b\d+ ms\b/, ' 0 ms'],
  [/\b[01] s between/, '0 s between'],
  [/eyJ\S+the-signature/g, 'd.e.f'],
  [/(idempotency-key\W+)[\da-f-]{36}/, '$1…'],
  [/Bun \d\S+/, 'Bun …'],
  [/bun\/\d[\d.]+/, 'bun/…'],
]

const toStable = (line: string) =>
  unstable.reduce((text, [pattern, stable]) => text.replace(pattern, stable), line)
