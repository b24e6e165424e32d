import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import ky from 'ky'
import type { Deps } from '../deps'
import { sandboxSecret } from '../providers'

/** Whether the request comes from this installation's own adapters. */
export const isCaller = ({ config }: Deps, request: Request) =>
  same(request.headers.get('x-client-secret') ?? request.headers.get('authorization')?.replace(/^Bearer /, '') ?? '', sandboxSecret(config))

export const same = (given: string, right: string) => timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(right).digest())

export const wireError = (status: number, code: string, detail: string) => Response.json({ error: { code, detail, traceId: randomUUID() } }, { status })

/** Sends a webhook to this server, again where it does not take it. That it may be lost in the end is part of what a provider is. */
export async function deliver({ ownUrl, log }: Deps, path: string, body: string, headers: Record<string, string> = {}) {
  const sent = await ky.post(`${ownUrl()}${path}`, { body, headers: { 'content-type': 'application/json', ...headers }, retry: { limit: 2, methods: ['post'] }, throwHttpErrors: false, timeout: 60_000 })
    .then(({ status }) => status, error => String(error))
  if (sent !== 200) log.warn({ path, sent }, 'The sandbox could not deliver a webhook')
}
