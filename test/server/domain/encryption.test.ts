import { describe, expect, test } from 'bun:test'
import { decryptText, encryptText, toKeyId } from '../../../server/domain/encryption'

const [key, otherKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map(bytes => bytes.toString('base64')) as [
  string,
  string,
]

test('a text opens with its key, at its place', () => {
  const encrypted = encryptText(key, 'ABCPE1234F ₹', 'users.pan:1')
  expect(encrypted).toStartWith(`${toKeyId(key)}.`)
  expect(encrypted).not.toContain('ABCPE')
  expect(decryptText([otherKey, key], encrypted, 'users.pan:1')).toBe('ABCPE1234F ₹')
})

test('the same text is never encrypted to the same bytes', () => {
  const encrypted = Array.from({ length: 50 }, () => encryptText(key, 'ABCPE1234F', 'x'))
  expect(new Set(encrypted).size).toBe(50)
})

test('a key in the base64 of URLs is the same key', () => {
  const bytes = Buffer.from('fbefbefbef'.repeat(6) + 'fbef', 'hex')
  const encrypted = encryptText(bytes.toString('base64url'), 'x', 'y')
  expect(decryptText([bytes.toString('base64url')], encrypted, 'y')).toBe('x')
})

describe('a text does not open', () => {
  const encrypted = encryptText(key, 'ABCPE1234F', 'users.pan:1')
  const [id, content] = encrypted.split('.') as [string, string]
  const bytes = Buffer.from(content, 'base64url')
  const flip = (index: number) => {
    const changed = Buffer.from(bytes)
    changed[index]! ^= 1
    return `${id}.${changed.toString('base64url')}`
  }

  test.each([
    ['with another key', [otherKey], encrypted, 'users.pan:1'],
    ['without keys', [], encrypted, 'users.pan:1'],
    ['under the id of another key', [otherKey], `${toKeyId(otherKey)}.${content}`, 'users.pan:1'],
    ['at another place', [key], encrypted, 'users.pan:2'],
    ['with another IV', [key], flip(0), 'users.pan:1'],
    ['with other content', [key], flip(12), 'users.pan:1'],
    ['with another tag', [key], flip(bytes.length - 1), 'users.pan:1'],
    ['if it is cut off', [key], encrypted.slice(0, 20), 'users.pan:1'],
    ['if it is empty', [key], '', 'users.pan:1'],
    ['if it has an id alone', [key], id, 'users.pan:1'],
  ])('%s', (_, keys, text, place) => expect(decryptText(keys, text, place)).toBeUndefined())
})
