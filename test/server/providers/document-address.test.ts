import { expect, test } from 'bun:test'
import type { Fault } from '../../../server/faults'
import { createDocumentCheck, throwDocumentFault } from '../../../server/providers/document-check'
import { findUrlViolation } from '../../../server/providers/download'

test.each([
  ['http://example.com/lease.pdf', 'document_not_https'],
  ['https://example.com/lease.pdf', undefined],
  ['https://localhost/lease.pdf', 'document_not_public'],
  ['https://printer.local/lease.pdf', 'document_not_public'],
  ['https://db.internal./lease.pdf', 'document_not_public'],
  ['https://internal.example.com/lease.pdf', undefined],
  ['https://notlocal/lease.pdf', undefined],
  ['https://10.0.0.1/lease.pdf', 'document_not_public'],
  ['https://[::1]/lease.pdf', 'document_not_public'],
  ['https://[2606:4700::1111]/lease.pdf', undefined],
] as const)('the address %s, without a look at its host: %p', (url, violation) => {
  expect(findUrlViolation(url, { DOCUMENT_HOSTS: 'public' })).toBe(violation)
  expect(findUrlViolation(url, { DOCUMENT_HOSTS: 'any' })).toBeUndefined()
})

const settings = {
  DOCUMENT_HOSTS: 'public',
  PROVIDER_TIMEOUT_MS: 1000,
  PROVIDER_TOTAL_TIMEOUT_MS: 1000,
} as const

test('400: a document is checked before its signing, unless DOCUMENT_CHECK is off', async () => {
  const check = (isOn: boolean) =>
    createDocumentCheck({ ...settings, DOCUMENT_CHECK: isOn })('https://10.0.0.1/lease.pdf').then(
      () => 'not checked',
      ({ status, message }: Fault) => `${status} ${message}`,
    )
  expect(await check(false)).toBe('not checked')
  expect(await check(true)).toMatch(/^400 .*A document must lie at a public host/)
})

test('what is no fault of the document is not told as one', () => {
  const error = new Error('another')
  expect(() => throwDocumentFault(error)).toThrow(error)
})
