import type { CallResponse, Kiraya, Page, Warning } from '@kiraya/sdk'
import { getCurrentProfile, readCredentials, storeCredential } from './credentials'
import { UsageError } from './errors'
import type { Selection } from '../output/json'
import { createRequests } from './requests'
import { toRecordText, toTable, type TextStyle } from '../output/table'
import { sanitizeLines } from '../output/sanitize'
import type { Terminal } from './terminal'

export type GlobalOptions = {
  url?: string
  /** Set, or the fields to print. */
  json?: string | boolean
  query?: string
  profile?: string
  dryRun?: boolean
  verbose?: boolean
  /** Of the server's messages. */
  language?: 'en' | 'hi'
}
export type Context = ReturnType<typeof createContext>

const DEFAULT_URL = 'http://localhost:3000'

type Run = {
  /** The records among the arguments, as they were typed. */
  named?: string
  select?: Selection
}

/** What a command works with: the server's client, the stored sign-in and the output. */
export function createContext(terminal: Terminal, globals: GlobalOptions, run: Run = {}) {
  const { env } = terminal
  const language = globals.language ?? 'en'
  const profile = globals.profile ?? getCurrentProfile(env)
  const stored = readCredentials(env)[profile]
  const baseUrl = toBaseUrl(globals.url ?? env.KIRAYA_URL ?? stored?.url ?? DEFAULT_URL)
  // A token goes only to the server that issued it.
  const storedToken = stored?.url === baseUrl ? stored.token : undefined
  const token = env.KIRAYA_TOKEN ?? storedToken
  const requests = createRequests(terminal, globals)
  const isStored = token !== undefined && token === storedToken

  const saveCredential = (newToken: string, phone?: string) =>
    storeCredential(env, profile, { url: baseUrl, token: newToken, ...(phone && { phone }) })

  return {
    terminal,
    baseUrl,
    profile,
    token,
    language,
    named: run.named ?? '',
    /** Whether the command must change nothing; requests that would are shown instead of sent. */
    isDryRun: globals.dryRun === true,
    ...requests,
    /** Options of a client that has a token of its own. */
    connection: { baseUrl, fetch: requests.fetch, language },
    client: async (fetch = requests.fetch): Promise<Kiraya> => {
      // The SDK loads on first use, so that help texts appear at once.
      const { createClient } = await import('@kiraya/sdk')
      return createClient({
        baseUrl,
        token,
        fetch,
        language,
        // Of another token, such as KIRAYA_TOKEN, a newer one could not be kept.
        autoRenew: isStored && !globals.dryRun,
        onSession: session => {
          if (isStored && session) saveCredential(session.access_token, stored?.phone)
        },
      })
    },
    saveCredential,
    removeCredential: () => storeCredential(env, profile, undefined),
    /** Returns a command line that can be pasted. */
    toCommandLine: (command: string) => `${getCommandName(env, globals)} ${command}`,
    ...createOutput(terminal, globals, run.select),
    /** Asks for a yes, unless it is given or nothing will change. */
    confirm: async (action: string, isConfirmed = false) => {
      if (isConfirmed || globals.dryRun) return
      await requireYes(terminal, action)
    },
  }
}

/** How the command was called, so that hints can be pasted as they stand. */
export function getCommandName(env: Terminal['env'], { profile, url }: Partial<GlobalOptions> = {}) {
  const runners = ['npx', 'bunx']
  const runner = runners.find(name => env.npm_command === 'exec' && env.npm_lifecycle_event === name)
  const globals = [profile && `--profile ${quote(profile)}`, url && `--url ${quote(url)}`]
  return [runner, 'kiraya', ...globals].filter(Boolean).join(' ')
}

/** Quotes an argument for a POSIX shell, if it needs quotes. */
function quote(argument: string) {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument
  return `'${argument.replaceAll("'", `'\\''`)}'`
}

function toBaseUrl(address: string) {
  const baseUrl = address.replace(/\/+$/, '')
  const protocol = URL.parse(baseUrl)?.protocol ?? ''
  if (/^https?:$/.test(protocol)) return baseUrl
  throw new UsageError(`--url must start with http:// or https://; it is ${baseUrl}`)
}

function createOutput(terminal: Terminal, { json, query }: GlobalOptions, select?: Selection) {
  const isJsonFlagSet = json !== undefined || query !== undefined
  const isJsonOutput = isJsonFlagSet || !terminal.isStdoutTty
  const style: TextStyle = { columns: terminal.columns, isColored: isColored(terminal) }

  const showJson = (data: unknown) => {
    const text = select ? select.toText(data) : JSON.stringify(data, null, 2)
    // Programs get every character; a terminal none that controls it.
    terminal.out(terminal.isStdoutTty ? sanitizeLines(text) : text)
  }

  /** Writes data to stdout: JSON for programs, a table or a record for people. */
  const show = (data: unknown, columns?: readonly string[]) => {
    if (isJsonOutput) showJson(data)
    else if (Array.isArray(data)) terminal.out(toListText(data, style, columns))
    else terminal.out(toRecordText(data as Record<string, unknown>, style))
  }

  /** Writes a remark for people to stderr, unless --json is set. */
  const printNote = (text: string) => {
    if (!isJsonFlagSet) terminal.err(sanitizeLines(text))
  }

  const showPage = ({ data, metadata }: Page<unknown>, columns: readonly string[]) => {
    show(data, columns)
    if (metadata.total_pages <= 1) return
    const { page, total_pages, total } = metadata
    printNote(`Page ${page} of ${total_pages} (${total} items); use --page for another`)
  }

  const printWarnings = (warnings: Warning[] = []) => {
    for (const { message } of warnings) printNote(`Warning: ${message}`)
  }
  /** Shows what a change made, and what of it breaks a custom of renting. */
  const showWarned = ({ data, warnings }: CallResponse<unknown>) => {
    show(data)
    printWarnings(warnings)
  }

  return {
    isJsonFlagSet,
    isJsonOutput,
    style,
    show,
    showJson,
    showWarned,
    printWarnings,
    printNote,
    showPage,
  }
}

/** See https://no-color.org. */
const isColored = ({ isStdoutTty, env }: Terminal) => isStdoutTty && !env.NO_COLOR && env.TERM !== 'dumb'

function toListText(rows: Record<string, unknown>[], style: TextStyle, columns?: readonly string[]) {
  const [firstRow] = rows
  return firstRow ? toTable(rows, columns ?? Object.keys(firstRow), style) : 'None'
}

async function requireYes({ isInteractive, ask }: Terminal, action: string) {
  if (!isInteractive) throw new UsageError(`--yes is required in non-interactive mode: ${action}`)
  const reply = await ask({ message: `${action}? (y/N)` })
  if (!/^y(es)?$/i.test(reply)) throw new UsageError('Cancelled: nothing has changed')
}
