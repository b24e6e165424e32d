import { requireSubtle, toHex } from './inputs.ts'

const ITERATIONS = 600_000
const HASH_BITS = 256

/**
 * Hashes a password with PBKDF2-HMAC-SHA-256, 600,000 iterations and the salt `kiraya:` + phone number.
 * Returns 64 hex digits. The server receives these instead of the password, which never leaves the device.
 */
export async function hashPassword(phone: string, password: string): Promise<string> {
  const encoder = new TextEncoder()
  const salt = encoder.encode(`kiraya:${phone}`)
  const subtle = requireSubtle('Passwords')
  const key = await subtle.importKey('raw', encoder.encode(password), 'PBKDF2', false, ['deriveBits'])
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', iterations: ITERATIONS, salt }
  const bits = await subtle.deriveBits(algorithm, key, HASH_BITS)
  return toHex(new Uint8Array(bits))
}
