import { expect, test } from 'bun:test'
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
