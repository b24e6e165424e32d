import type { Server } from 'elysia/universal'
import ipaddr from 'ipaddr.js'
import { getRequestContext } from '../../../db/deadlines'

/** Names the network of the client that sent the current request: an IPv4 /24 or an IPv6 /48. */
export function getClientNetwork() {
  return getRequestContext()?.network ?? 'unknown'
}

/** An attacker easily has all addresses of such a network. */
export function toNetworkPrefix(address: string) {
  if (!ipaddr.isValid(address)) return address

  // process() maps an IPv4-mapped IPv6 address to its IPv4 address.
  const parsed = ipaddr.process(address)
  const [family, bits] = parsed.kind() === 'ipv4' ? [ipaddr.IPv4, 24] : [ipaddr.IPv6, 48]
  return `${family.networkAddressFromCIDR(`${parsed}/${bits}`)}/${bits}`
}

/**
 * Returns the client's address. Each proxy appends its peer to `X-Forwarded-For`,
 * so only the last `trustedProxies` entries are trustworthy.
 */
export function getClientAddress(request: Request, server: Server | null, trustedProxies: number) {
  const peer = server?.requestIP(request)?.address ?? 'unknown'
  if (!trustedProxies) return peer

  const header = request.headers.get('x-forwarded-for')
  const hops = header?.split(',').map(hop => hop.trim()) ?? []
  const client = withoutPort(hops.at(-Math.min(trustedProxies, hops.length)) ?? '')
  return ipaddr.isValid(client) ? client : peer
}

/** Some proxies write the client's port too: `203.0.113.9:5678` or `[2001:db8::1]:443`. */
function withoutPort(hop: string) {
  const [, ipv6, ipv4] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return ipv6 ?? ipv4 ?? hop
}
