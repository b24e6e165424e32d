import { describe, expect, test } from 'bun:test'
import { query } from '../../../db/orm'
import { sendRequest, freshPhone, type TestResponse } from '../../support/users'
import { clock, server } from '../../support/server'
import { broken, enveloped, TIMESTAMP } from '../http/forms'
import { credentials } from './provider'

const time = clock()
const it = server({ overrides: { now: time.now } })
const guarded = server({ env: { SANDBOX_TOKEN: 'the token of the sandbox', SANDBOX_OTP: '864209' } })
const seen = ({ status, body }: TestResponse) => [status, body]
const ask = (url: string, phone_number: string) =>
  sendRequest(url, 'POST', '/auth/send-otp', { body: { phone_number } })
const messages = (url: string, search = '', headers?: Record<string, string>) =>
  sendRequest(url, 'GET', `/sandbox/messages${search}`, { headers })

describe('GET /sandbox/messages', () => {
  test('200: the messages of a phone, newest first, in the envelope', async () => {
    const phone = freshPhone()
    for (let sent = 0; sent < 2; sent++) {
      await ask(it.url, phone)
      time.advance(1000)
    }
    await ask(it.url, freshPhone())
    const answer = await messages(it.url, `?phone=${phone}`)
    const message = {
      id: expect.stringMatching(/^wamid\./),
      phone,
      otp: '123456',
      text: '123456 is your Kiraya verification code.',
      sent_at: TIMESTAMP,
    }
    expect(seen(answer)).toEqual([200, { success: true, data: [message, message] }])
    expect(Date.parse(answer.body.data[0].sent_at) - Date.parse(answer.body.data[1].sent_at)).toBe(1000)
  })

  test('200: without a phone the newest of all', async () => {
    const phone = freshPhone()
    time.advance(1000)
    await ask(it.url, phone)
    expect((await messages(it.url)).body.data[0]).toMatchObject({ phone })
  })

  test('200: a phone that nothing was sent to', async () =>
    expect(seen(await messages(it.url, `?phone=${freshPhone()}`))).toEqual([
      200,
      { success: true, data: [] },
    ]))

  for (const phone of ['', '1', 'x', '9876543210%00', '5876543210'])
    test(`400: ?phone=${phone}`, async () =>
      expect(seen(await messages(it.url, `?phone=${phone}`))).toEqual([400, broken('phone')]))
})

describe('with SANDBOX_TOKEN', () => {
  test('200 for its bearer, 401 for everybody else', async () => {
    const phone = freshPhone()
    await ask(guarded.url, phone)
    const right = await messages(guarded.url, `?phone=${phone}`, {
      authorization: 'Bearer the token of the sandbox',
    })
    expect(seen(right)).toMatchObject([200, { data: [{ phone, otp: '864209' }] }])
    const { body } = await sendRequest(guarded.url, 'POST', '/auth/verify', {
      body: { phone_number: phone, otp: '864209' },
    })
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer x',
      'Bearer the token of the sandbo',
      'Bearer the token of the sandbox x',
      'Basic the token of the sandbox',
      `Bearer ${body.data.access_token}`,
    ])
      expect([
        authorization,
        ...seen(await messages(guarded.url, '', authorization === undefined ? undefined : { authorization })),
      ]).toEqual([authorization, 401, enveloped(401)])
  })

  test('401: the OTP of the documentation is not that of this sandbox', async () => {
    const phone = freshPhone()
    await ask(guarded.url, phone)
    expect(
      (
        await sendRequest(guarded.url, 'POST', '/auth/verify', {
          body: { phone_number: phone, otp: '123456' },
        })
      ).status,
    ).toBe(401)
  })
})

describe('other messages than one-time passwords', () => {
  const send = (to: string, components: unknown, name: unknown = 'kiraya_sign_reminder') =>
    sendRequest(it.url, 'POST', '/sandbox/whatsapp/sandbox/messages', {
      headers: credentials(it),
      body: {
        messaging_product: 'whatsapp',
        to: `91${to}`,
        type: 'template',
        template: { name, components },
      },
    })
  const parameters = (...texts: string[]) => texts.map(text => ({ type: 'text', text }))

  test('200: a reminder is readable, has no OTP, and its address is a link in the inbox of its phone', async () => {
    const phone = freshPhone()
    const other = freshPhone()
    const url = 'https://api.example.com/sandbox/sign/1'
    expect(
      (await send(phone, [{ type: 'body', parameters: parameters('AGR-2026-000001', url) }])).body,
    ).toMatchObject({
      contacts: [{ input: `91${phone}` }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    })
    await ask(it.url, other)
    expect(seen(await messages(it.url, `?phone=${phone}`))).toEqual([
      200,
      {
        success: true,
        data: [
          {
            id: expect.any(String),
            phone,
            otp: null,
            text: `Agreement AGR-2026-000001 waits for your signature: ${url}`,
            sent_at: TIMESTAMP,
          },
        ],
      },
    ])
    const inbox = await (await fetch(`${it.url}/sandbox/inbox?phone=${phone}`)).text()
    expect(inbox).toContain(`<a href="${url}"`)
    expect(inbox).not.toContain(other)
    const all = await (await fetch(`${it.url}/sandbox/inbox`)).text()
    for (const number of [phone, other]) expect(all).toContain(number)
  })

  test('200: of any other template its name and parameters', async () => {
    const phone = freshPhone()
    await send(
      phone,
      [
        { type: 'header', parameters: parameters('Rent') },
        { type: 'body', parameters: parameters('25,000', '5 December') },
      ],
      'rent_is_due',
    )
    expect((await messages(it.url, `?phone=${phone}`)).body.data).toMatchObject([
      { otp: null, text: 'Rent is due: Rent, 25,000, 5 December' },
    ])
  })

  test('400: the inbox of what is no number', async () => {
    for (const phone of ['1', 'x', '%3Cscript%3E', '9876543210%00'])
      expect([phone, (await fetch(`${it.url}/sandbox/inbox?phone=${phone}`)).status]).toEqual([phone, 400])
  })

  for (const components of [
    [],
    {},
    null,
    [{}],
    [{ parameters: [] }],
    [{ parameters: [{ text: 1 }] }],
    [{ parameters: 'x' }],
  ])
    test(`400: components ${JSON.stringify(components)}`, async () =>
      expect((await send('9876543210', components)).body).toMatchObject({ error: { code: 100 } }))

  test('200: what a stranger to the house sends is shown as it is', async () => {
    const phone = freshPhone()
    for (const name of [undefined, '', 'x\0y', '<b>'])
      expect([
        name,
        (await send(phone, [{ parameters: parameters('<script>', 'a\0b', '\ud800') }], name)).status,
      ]).toEqual([name, 200])
    expect(await (await fetch(`${it.url}/sandbox/inbox?phone=${phone}`)).text()).not.toContain('<script')
  })
})

describe("the messaging provider's interface", () => {
  const template = {
    messaging_product: 'whatsapp',
    to: '919876543210',
    template: { components: [{ parameters: [{ text: '111111' }] }] },
  }
  for (const [name, headers] of Object.entries({
    'no credential': {},
    'a wrong one': { authorization: 'Bearer x' },
    'an empty one': { 'x-client-secret': '' },
  } as Record<string, Record<string, string>>)) {
    test(`401: ${name}, in the provider's form, and nothing is kept`, async () => {
      const count = async () =>
        (await query(it.em()).selectFrom('sandbox_records').select('id').execute()).length
      const before = await count()
      for (const body of [template, {}, 'null', '[]']) {
        const answer = await sendRequest(it.url, 'POST', '/sandbox/whatsapp/sandbox/messages', {
          headers,
          body,
        })
        expect(seen(answer)).toEqual([
          401,
          {
            error: {
              message: expect.any(String),
              type: 'OAuthException',
              code: 190,
              fbtrace_id: expect.any(String),
            },
          },
        ])
      }
      expect(await count()).toBe(before)
    })
  }
})
