import type { Command } from 'commander'
import type { Kiraya } from '@kiraya/sdk'
import { storeCredential, readCredential } from './credentials'
import { toRecordText, toTable, type Terminal } from './terminal'

/** What was typed does not make sense: exit code 2. */
export class UsageError extends Error {}

type Global = { url?: string; json?: boolean; profile: string }
export type Context = ReturnType<typeof createContext>

const LOCAL = 'http://localhost:3000'

/** What a command works with: the client, the terminal and how to show an answer. */
export function createContext(io: Terminal, { url, json, profile }: Global) {
  const stored = readCredential(io.env, profile)
  const baseUrl = (url ?? io.env.KIRAYA_URL ?? stored?.url ?? LOCAL).replace(/\/+$/, '')
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new UsageError(
      `--url must be an address beginning with http:// or https://, which ${baseUrl} is not`,
    )
  const isJsonOutput = json || !io.isStdoutTty
  return {
    io,
    baseUrl,
    isJsonOutput,
    /** A token is shown to the server that gave it and to no other. */
    client: async (): Promise<Kiraya> => {
      const { createClient } = await import('@kiraya/sdk')
      return createClient({
        baseUrl,
        token: io.env.KIRAYA_TOKEN ?? (stored?.url === baseUrl ? stored.token : undefined),
      })
    },
    saveCredential: (token: string | undefined, phone?: string) =>
      storeCredential(io.env, profile, token ? { url: baseUrl, token, phone } : undefined),

    /** Data on stdout: for a program JSON, for a person a table or a record. */
    show: (data: unknown, columns?: readonly string[]) => {
      if (isJsonOutput) io.out(JSON.stringify(data, null, 2))
      else if (Array.isArray(data))
        io.out(data.length ? toTable(data, columns ?? Object.keys(data[0])) : 'None')
      else io.out(toRecordText(data as Record<string, unknown>))
    },
    /** A word to the person, beside the data. */
    printNote: (text: string) => {
      if (!json) io.err(text)
    },
    ask: (what: string, flag: string) => {
      if (!io.isInteractive) throw new UsageError(`${flag} is required where nobody can be asked`)
      return io.ask(`${what}:`)
    },
    confirm: async (what: string, yes: boolean | undefined) => {
      if (yes) return
      if (!io.isInteractive) throw new UsageError(`--yes is required where nobody can be asked: ${what}`)
      if (!/^y(es)?$/i.test(await io.ask(`${what}? (y/N)`))) throw new UsageError('Nothing was done')
    },
  }
}

/** A page's items, and a word on where it stands if there is more. */
export const showPage = (
  { show, printNote }: Context,
  { data, metadata }: { data: unknown[]; metadata: { page: number; total_pages: number; total: number } },
  columns: readonly string[],
) => {
  show(data, columns)
  if (metadata.total_pages > 1)
    printNote(
      `Page ${metadata.page} of ${metadata.total_pages} (${metadata.total} in all); --page shows another`,
    )
}

/** Gives a command its work; what commander parsed follows the context. */
export type AddAction = (
  command: Command,
  work: (context: Context, ...parsed: Parameters<Parameters<Command['action']>[0]>) => void | Promise<void>,
) => Command
