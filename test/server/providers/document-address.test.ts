import { expect, test } from 'bun:test'
import { downloadDocument, findUrlViolation } from '../../../server/providers/download'

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

test('400: a document of a user breaks a rule', async () => {
  const download = downloadDocument('https://10.0.0.1/lease.pdf', settings)
  const message = 'Correct document_url: A document must lie at a public host'
  await expect(download).rejects.toMatchObject({ status: 400, message })
})
