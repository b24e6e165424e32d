import { lookup } from 'node:dns/promises'
import type { LookupAddress } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Config } from '../config'
import { LoggableError } from '../observability/safe-errors'

/** Bytes that a document may have. */
export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 3

/** Why a document is none that we take: the rule that it breaks, without its address. */
export class DownloadError extends LoggableError {}

type Resolve = (host: string) => Promise<LookupAddress[]>
type Rules = Pick<Config, 'DOCUMENT_HOSTS' | 'PROVIDER_TIMEOUT_MS' | 'PROVIDER_TOTAL_TIMEOUT_MS'>

/**
 * The PDF at an address that somebody else named, of at most 10 MiB, asked for without credentials. With
 * `DOCUMENT_HOSTS=public` it must lie at an https address of a public host, whatever DNS and redirects say: the
 * connection goes to the very address that was checked.
 * @throws DocumentError Where a rule is broken or nothing comes.
 */
export async function downloadPdf(
  url: string,
  rules: Rules,
  resolve: Resolve = host => lookup(host, { all: true }),
): Promise<Uint8Array> {
  const ended = AbortSignal.timeout(Math.min(rules.PROVIDER_TIMEOUT_MS, rules.PROVIDER_TOTAL_TIMEOUT_MS))
  try {
    for (let at = new URL(url), redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await get(at, await addressesOf(at, rules, resolve), ended)
      const {
        statusCode = 0,
        headers: { location },
      } = answer
      if (statusCode === 200) return await readPdf(answer)
      answer.destroy()
      if (![301, 302, 303, 307, 308].includes(statusCode) || !location)
        throw new DownloadError(`The document's address answered ${statusCode}`)
      if (!URL.canParse(location, at)) throw new DownloadError("The document's address leads to none")
      at = new URL(location, at)
    }
  } catch (error) {
    throw error instanceof DownloadError
      ? error
      : new DownloadError(
          `The document's address cannot be reached: ${ended.aborted ? 'no whole answer in time' : error instanceof Error ? error.name : 'failed'}`,
        )
  }
  throw new DownloadError(`The document's address leads through more than ${MAX_REDIRECTS} redirects`)
}

/** What is wrong with an address by its looks, before anybody asks DNS. */
export function findUrlViolation(
  url: string,
  { DOCUMENT_HOSTS }: Pick<Config, 'DOCUMENT_HOSTS'>,
): string | undefined {
  const { protocol, hostname } = new URL(url)
  const host = hostOf(hostname)
  if (DOCUMENT_HOSTS === 'any') return undefined
  if (protocol !== 'https:') return 'must be an https address'
  return (isIP(host) && !isPublicAddress(host)) || /(^|\.)(localhost|local|internal)\.?$/.test(host)
    ? 'must lie at a public host'
    : undefined
}
const hostOf = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/** Where a host is, once it is known that we may go there. */
async function addressesOf(
  { protocol, hostname }: URL,
  { DOCUMENT_HOSTS }: Rules,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const isOpen = DOCUMENT_HOSTS === 'any'
  const host = hostOf(hostname)
  if (protocol !== 'https:' && !(isOpen && protocol === 'http:'))
    throw new DownloadError('A document must have an https address')
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host)
  if (!addresses.length || (!isOpen && !addresses.every(({ address }) => isPublicAddress(address))))
    throw new DownloadError('A document must lie at a public host')
  return addresses
}

/** Neither private, local, shared nor reserved, nor such an address wrapped in an IPv6 one. */
export function isPublicAddress(address: string) {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return (
    parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3')))
  )
}

async function get(at: URL, addresses: LookupAddress[], signal: AbortSignal) {
  at.username = at.password = '' // else they would be sent as credentials
  const { request } = await (at.protocol === 'https:' ? import('node:https') : import('node:http')) // a server starts without them
  return new Promise<IncomingMessage>(
    (done, failed) =>
      void request(
        at,
        {
          agent: false,
          signal,
          headers: { accept: 'application/pdf', 'accept-encoding': 'identity' },
          lookup: (_, options, found) =>
            options.all ? found(null, addresses) : found(null, addresses[0]!.address, addresses[0]!.family),
        },
        done,
      )
        .on('error', failed)
        .end(),
  )
}

/** What is read, where it is at most 10 MiB; no more than that is taken in. */
export async function readLimited(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_DOCUMENT_BYTES) throw new DownloadError('A document must have at most 10 MiB')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The same, where it is a PDF. */
export async function readPdf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const bytes = await readLimited(content)
  if (bytes.toString('latin1', 0, 5) !== '%PDF-') throw new DownloadError('A document must be a PDF')
  return bytes
}
