import type { Kiraya, Page } from '@kiraya/sdk'
import { readCredential, storeCredential } from './credentials'
import { MissingFlagsError, UsageError } from './exit-codes'
import { readLanguage, say, toSentence, type Text } from './messages'
import { toRecordText, toTable, type Terminal } from './terminal'

export type GlobalOptions = { url?: string; json?: boolean; profile: string }
export type Context = ReturnType<typeof createContext>

const DEFAULT_URL = 'http://localhost:3000'

/** What a command works with: the server's client, the stored sign-in and the output. */
export function createContext(terminal: Terminal, { url, json, profile }: GlobalOptions) {
  const { env } = terminal
  const language = readLanguage(env)
  const stored = readCredential(env, profile)
  const baseUrl = toBaseUrl(url ?? env.KIRAYA_URL ?? stored?.url ?? DEFAULT_URL)
  // A token goes only to the server that issued it.
  const storedToken = stored?.url === baseUrl ? stored.token : undefined

  return {
    terminal,
    baseUrl,
    language,
    client: async (): Promise<Kiraya> => {
      // The SDK loads on first use, so that help texts appear at once.
      const { createClient } = await import('@kiraya/sdk')
      return createClient({ baseUrl, token: env.KIRAYA_TOKEN ?? storedToken, language })
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
  throw new UsageError(say('url_invalid', { url: baseUrl }))
}

function createOutput(terminal: Terminal, isJsonFlagSet: boolean) {
  const isJsonOutput = isJsonFlagSet || !terminal.isStdoutTty
  const language = readLanguage(terminal.env)

  /** Writes data to stdout: JSON for programs, a table or a record for people. */
  const show = (data: unknown, columns?: readonly string[]) => {
    if (isJsonOutput) terminal.out(JSON.stringify(data, null, 2))
    else if (Array.isArray(data)) terminal.out(toListText(data, columns) ?? say('none')(language))
    else terminal.out(toRecordText(data as Record<string, unknown>))
  }

  /** Writes a remark for people to stderr, unless --json is set. */
  const printNote = (text: Text) => {
    if (!isJsonFlagSet) terminal.err(toSentence(text, language))
  }

  const showPage = ({ data, metadata }: Page<unknown>, columns: readonly string[]) => {
    show(data, columns)
    if (metadata.total_pages <= 1) return
    const { page, total_pages, total } = metadata
    printNote(say('page_of', { page, pages: total_pages, total }))
  }

  return { isJsonOutput, show, printNote, showPage }
}

function toListText(rows: Record<string, unknown>[], columns?: readonly string[]) {
  const [firstRow] = rows
  return firstRow && toTable(rows, columns ?? Object.keys(firstRow))
}

function createPrompts(terminal: Terminal) {
  const language = readLanguage(terminal.env)
  return {
    /** Asks for a value; the flag gives it in non-interactive mode. */
    ask: (label: Text, flag: string) => {
      if (!terminal.isInteractive) throw new MissingFlagsError([flag], terminal)
      return terminal.ask(`${toSentence(label, language)}:`)
    },
    /** Waits for Enter. */
    pause: () => terminal.ask(say('press_enter')(language)),
    confirm: async (action: Text, isConfirmed = false) => {
      if (isConfirmed) return
      const question = toSentence(action, language)
      if (!terminal.isInteractive) throw new UsageError(say('confirmation_missing', { action: question }))
      const reply = await terminal.ask(`${question}? (y/N)`)
      if (!/^(y(es)?|हाँ|हां)$/i.test(reply)) throw new UsageError(say('cancelled'))
    },
  }
}
