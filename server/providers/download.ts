import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { findPdfProblem, isPdf } from '../documents/files'
import { refuse } from '../errors'
import type { Words } from '../messages'
import { documentRules, toStatusRule } from '../messages/signing'
import { LoggableError } from '../observability/safe-errors'
import type { Constants } from '../settings/constants'

export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024
const MAX_REDIRECTS = 3
/** Short enough to end within a signing's claim, besides the provider's own time. */
const MAX_DOCUMENT_MS = 10_000
/** The same where a document need not be reachable. */
const MAX_UNCHECKED_MS = 5000
const REDIRECTS = [301, 302, 303, 307, 308]

export type DownloadSettings = Pick<
  Constants,
  'DOCUMENT_HOSTS' | 'PROVIDER_TIMEOUT_MS' | 'PROVIDER_TOTAL_TIMEOUT_MS'
>

type CheckSettings = DownloadSettings & Pick<Constants, 'DOCUMENT_CHECK'>

/** The rule that a document breaks, without its address. */
export class DownloadError extends LoggableError {
  constructor(readonly rule: Words) {
    super(rule[0])
  }
}

/** How hosts are resolved, which of their addresses are public, and whether http is allowed to them. */
export type Network = {
  resolveHost: (host: string) => Promise<LookupAddress[]>
  isPublic: (address: string) => boolean
  isHttpAllowed: boolean
}
const internet: Omit<Network, 'isHttpAllowed'> = {
  resolveHost: host => lookup(host, { all: true }),
  isPublic: address => isPublicAddress(address),
}

/** What a download may connect to. */
type Rules = Network & { isPrivateAllowed: boolean }

type DownloadOptions = Partial<Network> & { signal?: AbortSignal }

/**
 * Downloads a PDF of at most 10 MiB without credentials. With `DOCUMENT_HOSTS=public` every redirect must
 * lead to an https address of a public host. It connects to the address that was checked, so a later DNS
 * change has no effect.
 * @throws DownloadError A rule is broken, or the host does not answer in time.
 */
export async function downloadPdf(
  url: string,
  settings: DownloadSettings,
  { signal: given, ...network }: DownloadOptions = {},
): Promise<Uint8Array> {
  const timeoutMs = Math.min(settings.PROVIDER_TIMEOUT_MS, settings.PROVIDER_TOTAL_TIMEOUT_MS)
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = given ? AbortSignal.any([given, timeout]) : timeout
  const isPrivateAllowed = settings.DOCUMENT_HOSTS === 'any'
  const rules = { ...internet, isHttpAllowed: isPrivateAllowed, ...network, isPrivateAllowed }
  try {
    const response = await followRedirects(url, rules, signal)
    if (Number(response.headers['content-length']) > MAX_DOCUMENT_BYTES)
      throw new DownloadError(documentRules.too_large)
    return await readPdf(response)
  } catch (error) {
    if (error instanceof DownloadError) throw error
    throw new DownloadError(signal.aborted ? documentRules.too_slow : documentRules.unreachable)
  }
}

/**
 * Downloads the PDF at an address that a user entered, within 10 s, since other signers wait for it.
 * @throws BAD_REQUEST The rule that the document breaks, without its address; people must be able to read it.
 */
export async function downloadDocument(url: string, settings: DownloadSettings) {
  const timeoutMs = Math.min(settings.PROVIDER_TIMEOUT_MS, MAX_DOCUMENT_MS)
  try {
    const document = await downloadPdf(url, { ...settings, PROVIDER_TIMEOUT_MS: timeoutMs })
    const problem = await findPdfProblem(document)
    if (problem) throw new DownloadError(documentRules[problem])
    return document
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause
    throw refuse('document_refused', { rule: cause.rule }, { cause })
  }
}

/**
 * Checks a document that the provider downloads. Without `DOCUMENT_CHECK` it need not be reachable, but one that is
 * too large is refused all the same.
 * @throws BAD_REQUEST The rule that the document breaks.
 */
export async function checkDocument(url: string, { DOCUMENT_CHECK, ...settings }: CheckSettings) {
  if (DOCUMENT_CHECK) return void (await downloadDocument(url, settings))
  try {
    await downloadPdf(url, { ...settings, PROVIDER_TIMEOUT_MS: MAX_UNCHECKED_MS })
  } catch (cause) {
    const { rule } = cause as DownloadError
    if (rule === documentRules.too_large) throw refuse('document_refused', { rule }, { cause })
  }
}

async function followRedirects(url: string, rules: Rules, signal: AbortSignal): Promise<IncomingMessage> {
  let target = new URL(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const addresses = await resolveAllowed(target, rules, signal)
    const response = await sendGet(target, addresses, signal)
    if (response.statusCode === 200) return response
    response.destroy()
    target = getRedirectTarget(response, target)
  }
  throw new DownloadError(documentRules.too_many_redirects)
}

function getRedirectTarget({ statusCode = 0, headers }: IncomingMessage, base: URL): URL {
  if (!REDIRECTS.includes(statusCode) || !headers.location) throw new DownloadError(toStatusRule(statusCode))
  const target = URL.parse(headers.location, base)
  if (!target) throw new DownloadError(documentRules.invalid_redirect)
  return target
}

/** Checks an address without DNS, as far as that is possible. */
export function findUrlViolation(
  url: string,
  { DOCUMENT_HOSTS }: Pick<DownloadSettings, 'DOCUMENT_HOSTS'>,
): 'document_not_https' | 'document_not_public' | undefined {
  if (DOCUMENT_HOSTS === 'any') return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:') return 'document_not_https'

  const host = withoutBrackets(hostname)
  const isPrivate = isIP(host) ? !isPublicAddress(host) : /(^|\.)(localhost|local|internal)\.?$/.test(host)
  return isPrivate ? 'document_not_public' : undefined
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

/**
 * Resolves a host to the addresses that may be connected to. One that has none fails like one with private
 * addresses, so that no one learns which internal names exist.
 */
async function resolveAllowed(
  { protocol, hostname }: URL,
  { resolveHost, isPublic, isHttpAllowed, isPrivateAllowed }: Rules,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const protocols = isHttpAllowed ? ['https:', 'http:'] : ['https:']
  if (!protocols.includes(protocol)) throw new DownloadError(documentRules.not_https)

  const host = withoutBrackets(hostname)
  const family = isIP(host)
  const resolve = () => untilAborted(resolveHost(host), signal).catch(() => [])
  const addresses = family ? [{ address: host, family }] : await resolve()
  const areAllowed = isPrivateAllowed || addresses.every(({ address }) => isPublic(address))
  if (addresses.length === 0 || !areAllowed) throw new DownloadError(documentRules.not_public)
  return addresses
}

/** Node resolves names without a time limit. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, aborted])
}

/** False for private, local, shared and reserved addresses, also if an IPv6 address wraps one. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3'))
}

async function sendGet(url: URL, addresses: LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  // Node would send them as credentials.
  url.username = ''
  url.password = ''
  // Imported on first use: a server starts faster without them.
  const { request } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options = {
    agent: false,
    signal,
    headers: { accept: 'application/pdf', 'accept-encoding': 'identity' },
    lookup: toLookup(addresses),
  }
  request(url, options, resolve).on('error', reject).end()
  return promise
}

/** A lookup that knows the checked addresses alone. */
function toLookup(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, addresses)
    else callback(null, first!.address, first!.family)
  }
}

/** Reads at most 10 MiB and stops there. */
export async function readLimited(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > MAX_DOCUMENT_BYTES) throw new DownloadError(documentRules.too_large)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads a PDF of at most 10 MiB. */
export async function readPdf(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const bytes = await readLimited(content)
  if (!isPdf(bytes)) throw new DownloadError(documentRules.not_pdf)
  return bytes
}
