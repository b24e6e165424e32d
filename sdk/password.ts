const ROUNDS = 600_000

/**
 * What is sent in place of a password: PBKDF2-HMAC-SHA-256 with 600,000 rounds over the salt `kiraya:` + phone
 * number, as 64 hex digits. The password itself never leaves the device.
 */
export async function hashPassword(phone: string, password: string): Promise<string> {
  const text = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', text.encode(password), 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', iterations: ROUNDS, salt: text.encode(`kiraya:${phone}`) },
    key,
    256,
  )
  return Array.from(new Uint8Array(bits), byte => byte.toString(16).padStart(2, '0')).join('')
}
