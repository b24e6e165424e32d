import type { Config } from '../config'
import { renderDocument } from './render'

export const SAMPLE_LEASE_PATH = '/sandbox/files/sample-lease.pdf'

type Server = { config: Pick<Config, 'sandbox'>; publicUrl: () => string }

/**
 * Whether an address is that of the sandbox's own lease. It may be private, since the server sends no request there:
 * it has the bytes.
 */
export function isSampleLease({ config, publicUrl }: Server, url: string) {
  return config.sandbox.signing && URL.parse(url)?.href === new URL(publicUrl() + SAMPLE_LEASE_PATH).href
}

let sampleLease: Uint8Array | undefined

/** Returns a lease for trying out the signing, always the same. */
export async function getSampleLease() {
  return (sampleLease ??= await renderDocument('sampleLease', {}))
}
