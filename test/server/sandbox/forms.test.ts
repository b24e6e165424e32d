import { describe, expect, test } from 'bun:test'
import { testServer, startTestServer } from '../../support/server'
import { addFaultRule, createRequest, getState, type Headers } from './provider'

const server = testServer()
type Fields = Record<string, string>

const postForm = (path: string, fields: Fields = {}, headers: Headers = {}, to = server) =>
  fetch(`${to.url}/sandbox/${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers,
  })

async function getPage(path: string) {
  const response = await fetch(`${server.url}/sandbox${path}`)
  return response.text()
}

describe('the forms of the control page', () => {
  test('303: a fault rule is added, shown and removed; 404: then it is gone', async () => {
    const match = crypto.randomUUID()
    const added = await postForm('faults', {
      provider: 'esign',
      behaviour: 'late',
      on: 'any',
      times: '2',
      delay_s: '90',
      status: '',
      match,
    })
    expect([added.status, added.headers.get('location')]).toEqual([303, '/sandbox/faults?done=added'])

    const { faults } = await getState(server)
    const [rule] = faults.filter((other: { match: string }) => other.match === match)
    expect(rule).toMatchObject({
      provider: 'esign',
      on: 'any',
      behaviour: 'late',
      times: 2,
      delay_ms: 90_000,
      status: null,
    })
    expect(await getPage('/faults')).toContain(`action="/sandbox/faults/${rule.id}/remove"`)

    expect((await postForm(`faults/${rule.id}/remove`)).status).toBe(303)
    expect((await getState(server)).faults).not.toContainEqual(rule)
    expect((await postForm(`faults/${rule.id}/remove`)).status).toBe(404)
  })

  const invalidRules: Fields[] = [
    {},
    { provider: 'x', behaviour: 'late' },
    { provider: 'esign', behaviour: 'late', times: 'many' },
    { provider: 'esign', behaviour: 'late', on: 'pdf' },
    { provider: 'esign', behaviour: 'error', status: '200' },
    { provider: 'esign', behaviour: 'late', delay_s: '-1' },
  ]
  test.each(invalidRules)('400: the rule %j is refused above the form', async fields => {
    const response = await postForm('faults', fields)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('role="alert"')])
  })

  const invalidClockChanges: Fields[] = [
    {},
    { at: 'x' },
    { advance_ms: 'x' },
    { at: '2026-13-01T00:00' },
    { advance_ms: '1', reset: 'true' },
  ]
  test.each(invalidClockChanges)('400: the clock change %j is refused', async fields => {
    expect((await postForm('clock', fields)).status).toBe(400)
  })

  test('303: the clock is set in Indian time and reset', async () => {
    const ownServer = await startTestServer()
    expect((await postForm('clock', { at: '2027-01-01T05:30' }, {}, ownServer)).status).toBe(303)
    expect((await getState(ownServer)).clock.now).toStartWith('2027-01-01T00:00')
    expect((await postForm('clock', { reset: 'true' }, {}, ownServer)).status).toBe(303)
    expect((await getState(ownServer)).clock.offset_ms).toBe(0)
    await ownServer.end()
  })
})

describe('the origin of a form', () => {
  test.each(['cross-site', 'same-site'])('403: a %s form is refused', async site => {
    expect((await postForm('faults/clear', {}, { 'sec-fetch-site': site })).status).toBe(403)
  })

  test.each(['same-origin', 'none'])('400: a %s form is accepted and then validated', async site => {
    expect((await postForm('clock', {}, { 'sec-fetch-site': site })).status).toBe(400)
  })
})

describe('the origin of a form without Sec-Fetch-Site, as browsers send it over http', () => {
  const postFrom = (headers: Headers) => postForm('faults/clear', {}, headers)

  test.each([
    'https://evil.example.com',
    'http://localhost.evil.example.com',
    'http://127.0.0.1:1',
    'null',
    'nonsense',
    '',
  ])('403: the form of the origin %j is refused', async origin => {
    expect((await postFrom({ origin })).status).toBe(403)
  })

  test('403: an old browser names a foreign page only as the referrer', async () => {
    expect((await postFrom({ referer: 'https://evil.example.com/page' })).status).toBe(403)
  })

  test('303: the form of an own page is accepted, also behind a proxy that ends https', async () => {
    const behindProxy = await startTestServer({ env: { PUBLIC_URL: 'https://api.example.com' } })
    const origins = [server.url, `https://${new URL(server.url).host}`]
    for (const origin of origins) expect((await postFrom({ origin })).status).toBe(303)
    expect((await postFrom({ referer: `${server.url}/sandbox/faults` })).status).toBe(303)
    const publicOrigin = { origin: 'https://api.example.com' }
    expect((await postForm('faults/clear', {}, publicOrigin, behindProxy)).status).toBe(303)
    await behindProxy.end()
  })

  test('303: a client that is no browser needs no origin', async () => {
    expect((await postFrom({})).status).toBe(303)
  })
})

describe('the pages', () => {
  test('tell their origin to this server, and nothing to others', async () => {
    const { headers } = await fetch(`${server.url}/sandbox/faults`)
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })
})

describe('escaping', () => {
  const attack = '"><script>alert(1)</script>'

  const paths = ['', '/faults', '/inbox?phone=%22%3E%3Cscript%3E', '/faults?done=%3Cscript%3E']
  test.each(paths)('the page %p escapes what it shows', async path => {
    await addFaultRule(server, { provider: 'esign', behaviour: 'never', match: attack })
    await createRequest(server, {
      documentId: '<script>',
      signer: { identifier: '9876543210"><script>', displayName: 'Asha Rao' },
    })
    expect(await getPage(path)).not.toContain('<script')
  })

  test('a refused form escapes its values', async () => {
    const response = await postForm('faults', {
      provider: 'x',
      behaviour: 'x',
      match: attack,
      times: attack,
    })
    expect(await response.text()).not.toContain('<script')
  })
})

test('each hint is that of its field', async () => {
  const page = await getPage('/faults')
  const described = [...page.matchAll(/aria-describedby="([^"]+)"/g)].map(([, id]) => id)
  expect(described.length).toBeGreaterThan(0)
  for (const id of described) expect(page).toContain(` id="${id}"`)
})

test('a preset does what its button says', async () => {
  const page = await getPage('/faults')
  const form = page.split('<form').find(each => each.includes('Respond 500 five times'))!
  const inputs = [...form.matchAll(/name="(\w+)" value="(\w+)"/g)].map(([, name, value]) => [name, value])
  expect(Object.fromEntries(inputs)).toEqual({ provider: 'esign', behaviour: 'error', times: '5' })
})
