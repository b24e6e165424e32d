import type { Kiraya, Page } from '@kiraya/sdk'
import { readCredential, storeCredential } from './credentials'
import { MissingFlagsError, UsageError } from './exit-codes'
import { toRecordText, toTable, type Terminal } from './terminal'

export type GlobalOptions = { url?: string; json?: boolean; profile: string }
export type Context = ReturnType<typeof createContext>

const DEFAULT_URL = 'http://localhost:3000'
export const WHEN_NON_INTERACTIVE = ' in non-interactive mode'

/** What a command works with: the server's client, the stored sign-in and the output. */
export function createContext(terminal: Terminal, { url, json, profile }: GlobalOptions) {
  const { env } = terminal
  const stored = readCredential(env, profile)
  const baseUrl = toBaseUrl(url ?? env.KIRAYA_URL ?? stored?.url ?? DEFAULT_URL)
  // A token goes only to the server that issued it.
  const storedToken = stored?.url === baseUrl ? stored.token : undefined

  return {
    terminal,
    baseUrl,
    client: async (): Promise<Kiraya> => {
      // The SDK loads on first use, so that help texts appear at once.
      const { createClient } = await import('@kiraya/sdk')
      return createClient({ baseUrl, token: env.KIRAYA_TOKEN ?? storedToken })
    },
    saveCredential: (token: string, phone: string) =>
      storeCredential(env, profile, { url: baseUrl, token, phone }),
    removeCredential: () => storeCredential(env, profile, undefined),
    ...createOutput(terminal, json ?? false),
    ...createPrompts(terminal),
  }
}

function toBaseUrl(address: string) {
  const baseUrl = address.replace(/\/+$/, '')
  const protocol = URL.parse(baseUrl)?.protocol ?? ''
  if (/^https?:$/.test(protocol)) return baseUrl
  throw new UsageError(`--url must start with http:// or https://; it is ${baseUrl}`)
}

function createOutput(terminal: Terminal, isJsonFlagSet: boolean) {
  const isJsonOutput = isJsonFlagSet || !terminal.isStdoutTty

  /** Writes data to stdout: JSON for programs, a table or a record for people. */
  const show = (data: unknown, columns?: readonly string[]) => {
    if (isJsonOutput) terminal.out(JSON.stringify(data, null, 2))
    else if (Array.isArray(data)) terminal.out(toListText(data, columns))
    else terminal.out(toRecordText(data as Record<string, unknown>))
  }

  /** Writes a remark for people to stderr, unless --json is set. */
  const printNote = (text: string) => {
    if (!isJsonFlagSet) terminal.err(text)
  }

  const showPage = ({ data, metadata }: Page<unknown>, columns: readonly string[]) => {
    show(data, columns)
    if (metadata.total_pages <= 1) return
    const { page, total_pages, total } = metadata
    printNote(`Page ${page} of ${total_pages} (${total} items); use --page for another`)
  }

  return { isJsonOutput, show, printNote, showPage }
}

function toListText(rows: Record<string, unknown>[], columns?: readonly string[]) {
  const [firstRow] = rows
  return firstRow ? toTable(rows, columns ?? Object.keys(firstRow)) : 'None'
}

function createPrompts(terminal: Terminal) {
  return {
    /** Asks for a value; the flag gives it in non-interactive mode. */
    ask: (label: string, flag: string) => {
      if (!terminal.isInteractive) throw new MissingFlagsError([flag], WHEN_NON_INTERACTIVE)
      return terminal.ask(`${label}:`)
    },
    confirm: async (action: string, isConfirmed = false) => {
      if (isConfirmed) return
      if (!terminal.isInteractive)
        throw new MissingFlagsError(['--yes'], `${WHEN_NON_INTERACTIVE}: ${action}`)
      const reply = await terminal.ask(`${action}? (y/N)`)
      if (!/^y(es)?$/i.test(reply)) throw new UsageError('Cancelled: nothing has changed')
    },
  }
}
