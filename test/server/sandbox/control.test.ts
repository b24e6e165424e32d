import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, signInUser } from '../../support/users'
import { clock, server, startTestServer } from '../../support/server'
import { broken, enveloped, TIMESTAMP } from '../http/forms'
import { createRequest, control, credentials, fault, applyOutcome, started, status } from './provider'

const it = server()
const TOKEN = 'the token of the sandbox'
const guarded = server({ env: { SANDBOX_TOKEN: TOKEN } })
const HOUR = 3_600_000
const form = (
  on: typeof it,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) =>
  fetch(`${on.url}/sandbox/${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers,
  })
const text = async (on: typeof it, path = '', headers: Record<string, string> = {}) =>
  (await fetch(`${on.url}/sandbox${path}`, { headers })).text()

describe('the clock', () => {
  const withClock =
    (work: (on: Awaited<ReturnType<typeof startTestServer>>, now: () => number) => Promise<void>) =>
    async () => {
      const time = clock(new Date('2026-11-21T10:00:00.000Z'))
      const on = await startTestServer({ overrides: { now: time.now } })
      await work(on, () => time.now().getTime()).finally(on.end)
    }

  test(
    '200: moved on, set, set back; the server keeps its own',
    withClock(async (on, now) => {
      const move = async (body: object) => (await control(on, 'POST', '/clock', body)).body.data
      expect((await control(on, 'GET')).body.data.clock).toEqual({
        now: '2026-11-21T10:00:00.000Z',
        offset_ms: 0,
      })
      expect(await move({ advance_ms: HOUR })).toEqual({ now: '2026-11-21T11:00:00.000Z', offset_ms: HOUR })
      expect(await move({ advance_ms: -2 * HOUR })).toEqual({
        now: '2026-11-21T09:00:00.000Z',
        offset_ms: -HOUR,
      })
      expect(await move({ at: '2027-01-01T05:30:00+05:30' })).toEqual({
        now: '2027-01-01T00:00:00.000Z',
        offset_ms: Date.parse('2027-01-01T00:00:00Z') - now(),
      })
      const {
        body: { data },
      } = await sendRequest(on.url, 'POST', '/auth/send-otp', { body: { phone_number: freshPhone() } })
      const {
        body: {
          data: [message],
        },
      } = await sendRequest(on.url, 'GET', '/sandbox/messages')
      expect([data.message.length > 0, message.sent_at]).toEqual([true, '2027-01-01T00:00:00.000Z'])
      expect((await createRequest(on)).body.validUpto).toBe('2027-01-04T00:00:00.000Z')
      expect(await move({ reset: true })).toEqual({ now: '2026-11-21T10:00:00.000Z', offset_ms: 0 })
    }),
  )

  test(
    'moved by many at once it has moved by all of them',
    withClock(async on => {
      await Promise.all(Array.from({ length: 20 }, () => control(on, 'POST', '/clock', { advance_ms: 1000 })))
      expect((await control(on, 'GET')).body.data.clock.offset_ms).toBe(20_000)
    }),
  )

  test(
    '400: further than ten years, in one step or in several, and then it stays',
    withClock(async on => {
      const nineYears = 9 * 365 * 24 * HOUR
      await control(on, 'POST', '/clock', { advance_ms: nineYears })
      for (const body of [
        { advance_ms: nineYears },
        { at: '2099-01-01T00:00:00Z' },
        { at: '1999-01-01T00:00:00Z' },
      ])
        expect([body, (await control(on, 'POST', '/clock', body)).body]).toEqual([body, enveloped(400)])
      expect((await control(on, 'GET')).body.data.clock.offset_ms).toBe(nineYears)
    }),
  )

  for (const body of [
    {},
    { advance_ms: 1, reset: true },
    { advance_ms: null },
    { at: '2027-01-01T00:00:00Z', advance_ms: 5 },
  ])
    test(`400: ${JSON.stringify(body)}`, async () =>
      expect((await control(it, 'POST', '/clock', body)).body).toEqual(enveloped(400)))
  for (const [property, value] of [
    ['advance_ms', 1.5],
    ['advance_ms', '1'],
    ['advance_ms', 1e15],
    ['at', '2027-01-01'],
    ['at', '2027-02-30T00:00:00Z'],
    ['at', '2027-01-01T25:00:00Z'],
    ['at', 'tomorrow'],
    ['reset', false],
  ] as const)
    test(`400: ${property} ${value}`, async () =>
      expect((await control(it, 'POST', '/clock', { [property]: value })).body).toEqual(broken(property)))
})

describe('the state and the buttons', () => {
  test('200: what waits for a person, until it does not', async () => {
    const was = await started(it)
    const mine = async () =>
      (await control(it, 'GET')).body.data.signatures.filter(({ id }: { id: string }) => id === was.id)
    expect(await mine()).toEqual([
      {
        id: was.id,
        request_id: was.id,
        document_id: expect.any(String),
        phone: was.tenant.phone,
        name: was.tenant.phone,
        status: 'pending',
        error: null,
        url: was.address,
        valid_until: TIMESTAMP,
      },
    ])
    expect((await applyOutcome(it, was.id, 'fail-otp')).body.data).toMatchObject({
      id: was.id,
      status: 'in_progress',
      error: 'invaild_otp',
    })
    expect(await mine()).toMatchObject([{ status: 'in_progress' }])
    expect((await applyOutcome(it, was.id)).body.data).toMatchObject({ status: 'signed', error: null })
    expect(await mine()).toEqual([])
    expect((await applyOutcome(it, was.id, 'decline')).body).toEqual(enveloped(400))
  })

  test('200: an identity check, until it is finished', async () => {
    const { body } = await sendRequest(it.url, 'POST', '/sandbox/ekyc/api/ekyc/', {
      headers: credentials(it),
      body: { redirection_url: 'https://example.com/' },
    })
    const path = `/checks/${body.id}`
    expect((await control(it, 'GET')).body.data.checks).toContainEqual({
      id: body.id,
      status: 'CREATED',
      url: body.kycURL,
    })
    expect((await control(it, 'POST', path, { outcome: 'approve' })).body.data).toEqual({
      id: body.id,
      status: 'SUCCESS',
      url: body.kycURL,
    })
    expect((await control(it, 'POST', path, { outcome: 'fail' })).body).toEqual(enveloped(400))
    expect((await control(it, 'GET')).body.data.checks.some(({ id }: { id: string }) => id === body.id)).toBe(
      false,
    )
  })

  test('400: an outcome that is none; 404: nothing of the kind', async () => {
    const { id } = await started(it)
    for (const outcome of ['approve', '__proto__', '', 1, null])
      expect([outcome, (await applyOutcome(it, id, outcome as string)).body]).toEqual([
        outcome,
        broken('outcome'),
      ])
    for (const other of ['x', '%00', crypto.randomUUID()])
      expect([
        other,
        (await applyOutcome(it, other)).body,
        (await control(it, 'POST', `/checks/${other}`, { outcome: 'fail' })).body,
      ]).toEqual([other, enveloped(404), enveloped(404)])
  })
})

describe('the forms', () => {
  test('303: a fault is added as by HTTP, shown, taken back', async () => {
    const match = crypto.randomUUID()
    const added = await form(it, 'faults', {
      provider: 'esign',
      behaviour: 'late',
      on: 'any',
      times: '2',
      delay_s: '90',
      status: '',
      match,
    })
    expect([added.status, added.headers.get('location')]).toEqual([303, '/sandbox/faults?done=added'])
    const [fault] = (await control(it, 'GET')).body.data.faults.filter(
      (one: { match: string }) => one.match === match,
    )
    expect(fault).toMatchObject({
      provider: 'esign',
      on: 'any',
      behaviour: 'late',
      times: 2,
      delay_ms: 90_000,
      status: null,
    })
    expect(await text(it, '/faults')).toContain(`action="/sandbox/faults/${fault.id}/remove"`)
    expect((await form(it, `faults/${fault.id}/remove`)).status).toBe(303)
    expect((await control(it, 'GET')).body.data.faults).not.toContainEqual(fault)
    expect((await form(it, `faults/${fault.id}/remove`)).status).toBe(404)
  })

  for (const fields of [
    {},
    { provider: 'x', behaviour: 'late' },
    { provider: 'esign', behaviour: 'late', times: 'many' },
    { provider: 'esign', behaviour: 'late', on: 'pdf' },
    { provider: 'esign', behaviour: 'error', status: '200' },
    { provider: 'esign', behaviour: 'late', delay_s: '-1' },
  ] as Record<string, string>[]) {
    test(`400: ${JSON.stringify(fields)}, said above the form`, async () => {
      const answer = await form(it, 'faults', fields)
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('role="alert"')])
    })
  }
  for (const fields of [
    {},
    { at: 'x' },
    { advance_ms: 'x' },
    { at: '2026-13-01T00:00' },
    { advance_ms: '1', reset: 'true' },
  ] as Record<string, string>[])
    test(`400: clock ${JSON.stringify(fields)}`, async () =>
      expect((await form(it, 'clock', fields)).status).toBe(400))

  test('303: the clock is set in Indian time', async () => {
    const on = await startTestServer()
    expect((await form(on, 'clock', { at: '2027-01-01T05:30' })).status).toBe(303)
    expect((await control(on, 'GET')).body.data.clock.now).toStartWith('2027-01-01T00:00')
    expect((await form(on, 'clock', { reset: 'true' })).status).toBe(303)
    expect((await control(on, 'GET')).body.data.clock.offset_ms).toBe(0)
    await on.end()
  })

  test('403: from a page of somebody else', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await form(it, 'faults/clear', {}, { 'sec-fetch-site': site })).status).toBe(403)
    for (const site of ['same-origin', 'none'])
      expect((await form(it, 'clock', {}, { 'sec-fetch-site': site })).status).toBe(400)
  })

  test('what a page says it shows escaped', async () => {
    const attack = '"><script>alert(1)</script>'
    await fault(it, { provider: 'esign', behaviour: 'never', match: attack })
    await createRequest(it, '9876543210"><script>', '<script>')
    for (const path of ['', '/faults', '/inbox?phone=%22%3E%3Cscript%3E', '/faults?done=%3Cscript%3E'])
      expect([path, await text(it, path)]).toEqual([path, expect.not.stringContaining('<script')])
    expect(
      await (
        await form(it, 'faults', { provider: 'x', behaviour: 'x', match: attack, times: attack })
      ).text(),
    ).not.toContain('<script')
  })
})

describe('with SANDBOX_TOKEN', () => {
  const basic = (password: string, user = 'anybody') => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  })
  const pages = ['', '/faults', '/inbox']
  const posts = ['faults', 'faults/clear', 'faults/x/remove', 'clock']

  test('pages: 200 with it as the password or as bearer, else 401 and the browser asks for it', async () => {
    for (const path of pages) {
      for (const headers of [basic(TOKEN), basic(TOKEN, ''), { authorization: `Bearer ${TOKEN}` }])
        expect(
          (await fetch(`${guarded.url}/sandbox${path}`, { headers: headers as Record<string, string> }))
            .status,
        ).toBe(200)
      for (const headers of [
        {},
        basic('x'),
        basic(''),
        basic(`${TOKEN}x`),
        { authorization: TOKEN.slice(1) },
        { authorization: `Basic ${TOKEN}` },
        { authorization: 'Basic' },
      ]) {
        const refused = await fetch(`${guarded.url}/sandbox${path}`, {
          headers: headers as Record<string, string>,
        })
        expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
          401,
          expect.stringContaining('Basic realm='),
        ])
      }
    }
  })

  test('forms: 401 without it, and nothing has happened', async () => {
    for (const path of posts)
      expect([
        path,
        (await form(guarded, path, { provider: 'esign', behaviour: 'never', advance_ms: '1000' })).status,
      ]).toEqual([path, 401])
    expect(
      (await sendRequest(guarded.url, 'GET', '/sandbox/control', { token: TOKEN })).body.data,
    ).toMatchObject({
      faults: [],
      clock: { offset_ms: 0 },
    })
  })

  test('HTTP: 401 for everybody but its bearer', async () => {
    const { token } = await signInUser(guarded.url)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/faults'],
      ['DELETE', '/faults'],
      ['DELETE', '/faults/x'],
      ['POST', '/clock'],
      ['POST', '/signatures/x'],
      ['POST', '/checks/x'],
    ] as const) {
      for (const headers of [{}, { authorization: `Bearer ${token}` }, basic(TOKEN)])
        expect([
          method,
          path,
          (
            await sendRequest(guarded.url, method, `/sandbox/control${path}`, {
              headers: headers as Record<string, string>,
              body:
                method === 'POST' ? { provider: 'esign', behaviour: 'never', outcome: 'sign' } : undefined,
            })
          ).body,
        ]).toEqual([method, path, enveloped(401)])
    }
    expect((await sendRequest(guarded.url, 'GET', '/sandbox/control', { token: TOKEN })).status).toBe(200)
  })

  test('whoever has a signer’s address needs nothing else', async () => {
    const { address, id } = await started(guarded)
    expect([
      (await fetch(address)).status,
      (await fetch(`${address}/sign`, { method: 'POST' })).status,
    ]).toEqual([200, 200])
    expect((await status(guarded, id)).body.status).toBe('sign_complete')
  })
})

test('404: none of it is there where all providers are real', async () => {
  const real = await startTestServer({
    env: {
      MESSAGE_CHANNELS: 'sms',
      MSG91_AUTH_KEY: 'x',
      MSG91_TEMPLATE_ID: 'x',
      ESIGN_API_URL: 'http://127.0.0.1:1',
      ESIGN_CLIENT_ID: 'a',
      ESIGN_CLIENT_SECRET: 'b',
      ESIGN_PRODUCT_INSTANCE_ID: 'c',
      EKYC_API_URL: 'http://127.0.0.1:1',
      EKYC_CLIENT_ID: 'a',
      EKYC_CLIENT_SECRET: 'b',
      EKYC_PRODUCT_INSTANCE_ID: 'c',
    },
  })
  for (const path of [
    '',
    '/control',
    '/faults',
    '/inbox',
    '/messages',
    '/sign/x',
    '/verify/x',
    '/files/sample-lease.pdf',
  ])
    expect([path, (await fetch(`${real.url}/sandbox${path}`)).status]).toEqual([path, 404])
  for (const path of ['signed', 'verified']) expect((await fetch(`${real.url}/${path}`)).status).toBe(200)
  await real.end()
})
