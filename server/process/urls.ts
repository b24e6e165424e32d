import type { Config } from '../config'

const WILDCARD_HOSTS = ['0.0.0.0', '::']

/** Returns the URL at which the server reaches itself. */
export function getOwnUrl({ HOST }: Config, port: number) {
  return `http://${getHost(HOST, '127.0.0.1')}:${port}`
}

/** Returns the URL at which clients reach the server. */
export function getPublicUrl({ HOST, PUBLIC_URL }: Config, port: number) {
  return PUBLIC_URL ?? `http://${getHost(HOST, 'localhost')}:${port}`
}

function getHost(host: string | undefined, local: string) {
  if (!host || WILDCARD_HOSTS.includes(host)) return local
  return host.includes(':') ? `[${host}]` : host
}
