import { toKirayaError } from './error-mapping.ts'
import { KirayaError, ValidationError } from './errors.ts'

/** A record's number or UUID. */
export type RecordId = number | string
/** Builds a path when the request is made, so that a wrong id rejects the call. */
export type Path = string | (() => string)

/** Refuses an input before any request. */
export function refuseInput(sentence: string): never {
  throw new ValidationError(sentence, { code: 'VALIDATION_ERROR' })
}

/** Refuses a field before any request; the sentence begins with its name. */
export function refuseField(sentence: string): never {
  throw toKirayaError(0, { message: [sentence] })
}

/** Runs what an input may break, and throws its failure as a `ValidationError`. */
export async function prepare<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof KirayaError) throw cause
    const message = `The input cannot be sent: ${(cause as Error).message}`
    throw new ValidationError(message, { code: 'VALIDATION_ERROR', cause })
  }
}

/** @throws {ValidationError} The page was not loaded by HTTPS, without which browsers have no such cryptography. */
export function requireSubtle(what: string): SubtleCrypto {
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  return (
    subtle ?? refuseInput(`${what} need HTTPS: load the page from an https:// address, or from localhost`)
  )
}

/** Creates an idempotency key, a UUID. `crypto.randomUUID` is not there in pages without HTTPS. */
export const createKey = () =>
  toHex(crypto.getRandomValues(new Uint8Array(16))).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')

export const toHex = (bytes: Uint8Array) =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

/** @throws {ValidationError} A number is NaN or infinite, which JSON would make null, and null clears a field. */
export function requireNumbers(value: unknown, property = '') {
  if (typeof value === 'number' && !Number.isFinite(value))
    refuseField(`${property.slice(1)} must be a finite number; it is ${value}`)
  if (value instanceof Object)
    for (const [name, inner] of Object.entries(value)) requireNumbers(inner, `${property}.${name}`)
}

/** @throws {ValidationError} The address is missing or malformed. */
export function requireBaseUrl(baseUrl: unknown): string {
  const address = parseAddress(baseUrl)
  if (!address || !/^https?:$/.test(address.protocol))
    refuseInput(
      `baseUrl must be an address such as https://api.example.com; it is ${JSON.stringify(baseUrl)}`,
    )
  const { username, password, search, hash } = address
  if (username + password + search + hash)
    refuseInput('baseUrl must have no user name, password, query or fragment')
  return (baseUrl as string).replace(/\/+$/, '')
}

function parseAddress(baseUrl: unknown) {
  if (typeof baseUrl !== 'string') return undefined
  const page: { href: string } | undefined = globalThis.location
  try {
    return new URL(baseUrl, /^\/(?!\/)/.test(baseUrl) ? page?.href : undefined)
  } catch {
    return undefined
  }
}

/** @throws {ValidationError} The option is no whole number, or less than the minimum. */
export function requireWhole(name: string, value: number, min: number) {
  if (!Number.isInteger(value) || value < min)
    refuseInput(`${name} must be a whole number of at least ${min}; it is ${value}`)
  return value
}

/** @throws {ValidationError} The id is missing, as after reading a field that does not exist. */
export function requireId(name: string, id: unknown): RecordId {
  const isId = typeof id === 'string' ? id.trim() : Number.isFinite(id)
  if (!isId) refuseInput(`${name} must be the number or UUID of a record; it is ${describeValue(id)}`)
  return id as RecordId
}

function describeValue(value: unknown) {
  if (typeof value === 'string') return value ? 'blank' : 'empty'
  return value instanceof Object ? 'an object' : String(value)
}

/** Builds a path from a template and encodes each id, so that no id leaves its segment. */
export const path =
  ([start, ...parts]: TemplateStringsArray, ...ids: RecordId[]): Path =>
  () =>
    ids.reduce<string>((built, id, index) => built + toSegment(built, id) + parts[index], start!)

/** URLs resolve `.` and `..` segments even if encoded. They are never ids, so `-` leads to a 404. */
function toSegment(parent: string, id: RecordId) {
  return encodeURIComponent(requireId(`The id after ${parent}`, id)).replace(/^\.{1,2}$/, '-')
}
