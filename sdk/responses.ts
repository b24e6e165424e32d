import { renameFields, toSnakeCase } from './field-names.ts'
import type { Page } from './pages.ts'
import type { Warning } from '#types'

/** What a method returns, and the remarks beside it. */
type Content<T> = { data: T; warnings?: Warning[] }

/** Reads the body of a response. */
export type ReadBody<T> = (response: Response) => Promise<Content<T>>

/**
 * Returns the envelope's data. Without an envelope, as the token's variant decides, the body is the data.
 * @throws {SyntaxError} It is not JSON, or not that of the API.
 */
export async function readData<T>(response: Response): Promise<Content<T>> {
  const body = (await readJson(response)) as { success?: boolean } & Content<T>
  if (body.success === undefined) return { data: renameFields(body, toSnakeCase) as T }
  if (!body.success || !('data' in body)) throw new SyntaxError('An envelope without data')
  return body
}

/** @throws {SyntaxError} It is not JSON, or not that of a list. */
export async function readPage<T>(response: Response): Promise<Content<Page<T>>> {
  const { data, metadata } = (await readJson(response)) as Page<T>
  if (!Array.isArray(data) || !metadata) throw new SyntaxError('No list')
  return { data: { data, metadata } }
}

/** @throws {SyntaxError} It is a page for people. */
export async function readBytes(response: Response) {
  if (response.headers.get('content-type')?.startsWith('text/html')) throw new SyntaxError('A page')
  return { data: new Uint8Array(await response.arrayBuffer()) }
}

/** A body that ends early is a lost connection, and only a whole one can be invalid JSON. */
async function readJson(response: Response): Promise<object> {
  const body: unknown = JSON.parse(await response.text())
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new SyntaxError('No object')
  return body
}
