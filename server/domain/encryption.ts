import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { toSha256 } from './sha256'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_ID_LENGTH = 8

/** Names a key without telling anything of it, so that a stored text says which one opens it. */
export function toKeyId(key: string) {
  return toSha256(`key id:${key}`).slice(0, KEY_ID_LENGTH)
}

/**
 * Encrypts a text with AES-256-GCM under a key of 32 bytes in base64. The result begins with the key's id, and opens
 * only for the same place, such as the column and the row that it is stored in.
 */
export function encryptText(key: string, text: string, place: string) {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, Buffer.from(key, 'base64'), iv).setAAD(Buffer.from(place))
  const parts = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `${toKeyId(key)}.${Buffer.concat(parts).toString('base64url')}`
}

/** Decrypts with the key that the text names; undefined if it is none of these, or the text was changed or moved. */
export function decryptText(keys: string[], encrypted: string, place: string) {
  const [keyId, content = ''] = encrypted.split('.')
  const key = keys.find(each => toKeyId(each) === keyId)
  if (!key) return undefined
  const bytes = Buffer.from(content, 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(key, 'base64'), bytes.subarray(0, IV_BYTES))
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
