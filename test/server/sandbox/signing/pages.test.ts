import { describe, expect, test } from 'bun:test'
import { clock, testServer } from '../../../support/server'
import { sendRequest } from '../../../support/users'
import { getSignature, startSigning } from '../provider'

const HOUR_MS = 3_600_000
const time = clock()
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000'
const server = testServer({ overrides: { now: time.now } })
const redirecting = testServer({
  env: {
    ESIGN_REDIRECT_URL: 'https://app.example.com/signed?from=kiraya',
    PUBLIC_URL: 'https://api.example.com/',
  },
})

const getPage = async (address: string) => (await fetch(address)).text()
const press = (address: string, button: string) =>
  fetch(`${address}/${button}`, { method: 'POST', redirect: 'manual' })

async function pressInTurn(address: string, buttons: string[]) {
  const statuses: number[] = []
  for (const button of buttons) statuses.push((await press(address, button)).status)
  return statuses
}

test('200: the signing page links the document, without scripts or requests to other hosts', async () => {
  const { address } = await startSigning(server, {
    document_url: 'https://example.com/lease.pdf?a="><script>alert(1)</script>',
  })
  const response = await fetch(address)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  const text = await response.text()
  expect(text).toContain('href="https://example.com/lease.pdf')
  expect(text).not.toContain('<script')
})

describe('the buttons of the signing page', () => {
  const outcomes: [
    button: string,
    said: string,
    status: string,
    reason: string | null,
    atProvider: string,
  ][] = [
    ['sign', 'You have signed', 'signed', null, 'SIGNED'],
    ['decline', 'You have declined to sign', 'declined', 'signer_declined', 'DECLINED'],
    ['fail-otp', 'The one-time password was wrong; you can try again', 'pending', null, 'PENDING'],
    ['expire', 'The time to sign has run out', 'expired', null, 'PENDING'],
  ]
  test.each(outcomes)('200: %s says %p and makes the signature %s', async (button, said, status, ...row) => {
    const [decline_reason, atProvider] = row
    const signing = await startSigning(server)
    const response = await press(signing.address, button)
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(said)])
    expect(await getSignature(signing)).toMatchObject({ status, decline_reason })
    const known = await server.deps.signing.status({ requestId: signing.id })
    expect(known?.status).toBe(atProvider as never)
  })

  test.each(['sign', 'decline', 'expire'])('400: %s closes the request', async button => {
    const signing = await startSigning(server)
    await press(signing.address, button)
    const before = await getSignature(signing)
    const statuses = await pressInTurn(signing.address, ['sign', 'decline', 'fail-otp', 'expire'])
    expect(statuses).toEqual([400, 400, 400, 400])
    expect(await getPage(signing.address)).not.toContain('<button')
    expect(await getSignature(signing)).toEqual(before)
  })

  test('400: a request cannot be signed after 72 hours', async () => {
    const signing = await startSigning(server)
    time.advance(73 * HOUR_MS)
    expect((await press(signing.address, 'sign')).status).toBe(400)
    expect((await getSignature(signing)).status).toBe('expired')
  })

  test('303: redirects to ESIGN_REDIRECT_URL', async () => {
    const signing = await startSigning(redirecting)
    expect(signing.address).toStartWith('https://api.example.com/sandbox/sign/')
    const address = signing.address.replace('https://api.example.com', redirecting.url)
    const response = await press(address, 'sign')
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      'https://app.example.com/signed?from=kiraya',
    ])
    expect((await getSignature(signing)).status).toBe('signed')
  })

  test.each(['', '__proto__', 'SIGN'])('404: %p is not a button', async button => {
    const { address } = await startSigning(server)
    expect((await press(address, button)).status).toBe(404)
  })

  test.each(['x', UNKNOWN_ID, '1', '%00'])('404: %p is not a request', async id => {
    expect((await sendRequest(server.url, 'GET', `/sandbox/sign/${id}`)).status).toBe(404)
    expect((await sendRequest(server.url, 'POST', `/sandbox/sign/${id}/sign`)).status).toBe(404)
  })
})
