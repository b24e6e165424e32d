import { expect, test } from 'bun:test'
import type { Config } from '../../../server/config'
import { getOwnUrl, getPublicUrl } from '../../../server/process/urls'

const cases: [host: string | undefined, ownUrl: string, publicUrl: string][] = [
  ['127.0.0.1', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['0.0.0.0', 'http://127.0.0.1:3000', 'http://localhost:3000'],
  ['::', 'http://127.0.0.1:3000', 'http://localhost:3000'],
  [undefined, 'http://127.0.0.1:3000', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000', 'http://[::1]:3000'],
]

test.each(cases)('with HOST=%s the server reaches itself at %s, and clients at %s', (HOST, own, clients) => {
  const config = { HOST } as Config
  expect([getOwnUrl(config, 3000), getPublicUrl(config, 3000)]).toEqual([own, clients])
})

test('clients reach it at PUBLIC_URL, if that is set', () => {
  const config = { HOST: '::', PUBLIC_URL: 'https://api.example.com' } as Config
  expect(getPublicUrl(config, 3000)).toBe('https://api.example.com')
})
