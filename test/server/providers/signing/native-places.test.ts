import { expect, test } from 'bun:test'
import type { Recorded } from '../../../support/recorded-provider'
import {
  EARLIER,
  ID,
  REQUEST,
  asha,
  created,
  document,
  gone,
  provider,
  ravi,
  uploaded,
} from './recorded-native'

/** The request with changes; by its clock it is 2026-03-01T00:00:00Z. */
const toOpen = (changes: object, signer: object = {}): Recorded => {
  const body = created.body as { signers: object[] }
  const signers = body.signers.map(each => ({ ...each, ...signer }))
  return { body: { ...body, signers, ...changes } }
}
const open = toOpen({})
const expired = toOpen({ validUpto: '2026-03-01T00:00:00Z' })
const anew = [document, uploaded, created]

const places: [isKept: boolean, what: string, earlier: Recorded[]][] = [
  [true, 'an open request', [open]],
  [true, 'one that is valid for a millisecond', [toOpen({ validUpto: '2026-03-01T00:00:00.001Z' })]],
  [true, 'the request before one that the provider does not know', [gone, open]],
  [true, 'the third newest request', [expired, expired, open]],
  [false, 'one that expires now', [expired]],
  [false, 'one without an address', [toOpen({}, { url: null })]],
  [false, 'the fourth newest request', [expired, expired, expired, open]],
]
test.each(places)('a signer keeps the place, %p: in %s', async (isKept, _, earlier) => {
  const ids = earlier.map((__, index) => `${EARLIER}-${index}`)
  await provider.replay(...earlier, ...anew).signing.initiate({ ...REQUEST, earlier: ids })

  const sent = provider.requests.filter(({ method }) => method === 'POST')
  expect(sent.map(({ path }) => path)).toEqual(isKept ? [] : ['/api/documents', '/api/signature'])
})

test('a party without an address in the response is not among the others', async () => {
  const [first, second] = (created.body as { signers: object[] }).signers
  const answer = { body: { id: ID, signers: [{ ...first, url: null }, second] } }
  const { others } = await provider.replay(document, uploaded, answer).signing.initiate(REQUEST)
  expect(others).toEqual([])
})

const parties = Array.from({ length: 8 }, (_, index) => ({
  identifier: `987654321${index}`,
  displayName: `Party ${index}`,
}))
test.each([
  [0, [0, 1, 2, 3, 4, 5]],
  [5, [0, 1, 2, 3, 4, 5]],
  [6, [6, 7]],
])('one request takes six parties: that of party %i those with the indexes %j', async (index, expected) => {
  const signer = parties[index]!
  const answer = { body: { id: ID, signers: [{ ...signer, url: 'https://sign.example.com/' }] } }
  await provider.replay(document, uploaded, answer).signing.initiate({ ...REQUEST, parties, signer })

  const { signers } = JSON.parse(provider.requests.at(-1)!.body)
  expect(signers.map(({ displayName }: { displayName: string }) => displayName)).toEqual(
    expected.map(each => `Party ${each}`),
  )
})

test.each([
  ['the left lower quarter', { x: 0, y: 0 }, 'bottom-left'],
  ['the middle of the page', { x: 207.5, y: 391 }, 'top-right'],
  ['just left of the middle', { x: 207, y: 391 }, 'top-left'],
  ['just below the middle', { x: 207.5, y: 390 }, 'bottom-right'],
])('a signature in %s is in the nearest corner', async (_, place, corner) => {
  const signaturePosition = { pageNumber: 2, width: 180, height: 60, ...place }
  await provider.replay(document, uploaded, created).signing.initiate({
    ...REQUEST,
    parties: [asha, ravi],
    flexiOptions: { signaturePosition },
  })

  const { signers } = JSON.parse(provider.requests.at(-1)!.body)
  expect(signers[1].signature).toEqual({ onPages: ['2'], position: corner, width: 180, height: 60 })
})
