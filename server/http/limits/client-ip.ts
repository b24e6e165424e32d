import type { Server } from 'elysia/universal'
import ipaddr from 'ipaddr.js'

const IPV4_NETWORK_BITS = 24
const IPV4_ADDRESS_BITS = 32
const IPV4_BLOCK_BITS = 16
const IPV6_NETWORK_BITS = 64
const IPV6_SITE_BITS = 48
const IPV6_BLOCK_BITS = 32

/** Maps an address to its network: an IPv4 /24 or IPv6 /64, since an attacker easily has all of it. */
export function toNetworkPrefix(address: string) {
  return toPrefix(address, IPV4_NETWORK_BITS)
}

/** Maps an address to what one subscriber has: an IPv4 address or an IPv6 /64. */
export function toSubscriberPrefix(address: string) {
  return toPrefix(address, IPV4_ADDRESS_BITS)
}

/** Maps an address to what one site may have: an IPv4 /24 or an IPv6 /48, which holds 65,536 networks. */
export function toSitePrefix(address: string) {
  return toPrefix(address, IPV4_NETWORK_BITS, IPV6_SITE_BITS)
}

/** Maps an address to the block that a provider may have: an IPv4 /16 or an IPv6 /32, which holds 65,536 sites. */
export function toBlockPrefix(address: string) {
  return toPrefix(address, IPV4_BLOCK_BITS, IPV6_BLOCK_BITS)
}

function toPrefix(address: string, ipv4Bits: number, ipv6Bits = IPV6_NETWORK_BITS) {
  if (!ipaddr.isValid(address)) return address

  // process() turns an IPv4-mapped IPv6 address into its IPv4 address.
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4')
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${ipv4Bits}`)}/${ipv4Bits}`
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${ipv6Bits}`)}/${ipv6Bits}`
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
