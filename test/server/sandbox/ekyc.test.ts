import { describe, expect, test } from 'bun:test'
import { sendRequest, signInUser } from '../../support/users'
import { server } from '../../support/server'
import { sandboxSecret } from '../../../server/providers/index'

const it = server({ env: { SANDBOX_EKYC: 'manual', PUBLIC_URL: 'https://api.example.com' } })
const auto = server()
const credentials = ({ deps }: typeof it) => ({
  'x-client-id': 'sandbox',
  'x-client-secret': sandboxSecret(deps.config),
  'x-product-instance-id': 'sandbox',
})
const create = (on = it, body: unknown = { redirection_url: 'https://api.example.com/verified' }) =>
  sendRequest(on.url, 'POST', '/sandbox/ekyc/api/ekyc/', { headers: credentials(on), body })
const read = (id: string, on = it) =>
  sendRequest(on.url, 'GET', `/sandbox/ekyc/api/ekyc/${id}`, { headers: credentials(on) })
const page = (path: string, method = 'GET', init: RequestInit = {}) =>
  fetch(`${it.url}/sandbox/verify/${path}`, { method, redirect: 'manual', ...init })

describe("the provider's interface", () => {
  test('201 and 200: the documented shapes, the page under PUBLIC_URL', async () => {
    const { status, body } = await create()
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        status: 'CREATED',
        kycURL: `https://api.example.com/sandbox/verify/${body.id}`,
        data: null,
      },
    ])
    expect((await read(body.id)).body).toEqual(body)
  })

  test('manual: untouched it stays CREATED; auto: it succeeds when it is asked for', async () => {
    const {
      body: { id },
    } = await create()
    const {
      body: { id: other },
    } = await create(auto)
    expect([(await read(id)).body.status, (await read(other, auto)).body.status]).toEqual([
      'CREATED',
      'SUCCESS',
    ])
    expect((await read(other, auto)).body.data.aadhaar).toEqual({
      name: expect.any(String),
      aadhaarNumber: expect.stringMatching(/^X{8}\d{4}$/),
      generatedAt: expect.any(String),
    })
  })

  test('401: without the credentials, in the form of the provider', async () => {
    const {
      body: { id },
    } = await create()
    const { token } = await signInUser(it.url)
    for (const headers of [{}, { 'x-client-secret': 'x' }, { authorization: `Bearer ${token}` }] as Record<
      string,
      string
    >[]) {
      for (const [method, path] of [
        ['POST', '/sandbox/ekyc/api/ekyc/'],
        ['GET', `/sandbox/ekyc/api/ekyc/${id}`],
      ] as const) {
        const answer = await sendRequest(it.url, method, path, {
          headers,
          body: method === 'POST' ? { redirection_url: 'x' } : undefined,
        })
        expect([answer.status, answer.body]).toEqual([
          401,
          { errorCode: 'unauthorized', errorMsg: expect.any(String) },
        ])
      }
    }
  })

  for (const body of [{}, { redirection_url: 1 }, 'null', '[]', '"x"', '1']) {
    test(`400: ${JSON.stringify(body)}`, async () =>
      expect(await create(it, body)).toMatchObject({ status: 400, body: { errorCode: 'invalid_request' } }))
  }

  for (const id of ['x', '00000000-0000-4000-8000-000000000000', '%00', "'", 'x'.repeat(500)]) {
    test(`404: ${id.slice(0, 40)}`, async () =>
      expect(await read(id)).toMatchObject({ status: 404, body: { errorCode: 'not_found' } }))
  }
})

describe('the page for people', () => {
  test('200: the buttons while it is open, and none afterwards', async () => {
    const {
      body: { id },
    } = await create()
    const html = await (await page(id)).text()
    expect(html).toContain(`action="/sandbox/verify/${id}/approve"`)
    expect(html).toContain(`action="/sandbox/verify/${id}/fail"`)
    const pressed = await page(`${id}/approve`, 'POST', {
      body: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([pressed.status, pressed.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await (await page(id)).text()).not.toContain('<button')
    expect((await read(id)).body.status).toBe('SUCCESS')
  })

  test('Fail ends it with an error', async () => {
    const {
      body: { id },
    } = await create()
    expect((await page(`${id}/fail`, 'POST')).status).toBe(200)
    expect((await read(id)).body).toMatchObject({
      status: 'ERROR',
      data: null,
      errorCode: 'upstream_service_error',
    })
    expect((await page(`${id}/approve`, 'POST')).status).toBe(400)
    expect((await read(id)).body.status).toBe('ERROR')
  })

  test('of buttons pressed at once one counts', async () => {
    const {
      body: { id },
    } = await create()
    const statuses = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, index) => (await page(`${id}/${index % 2 ? 'approve' : 'fail'}`, 'POST')).status,
      ),
    )
    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(400)])
  })

  test('it runs no script, asks nobody else and is not framed', async () => {
    const {
      body: { id },
    } = await create()
    const answer = await page(id)
    const policy = answer.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(await answer.text()).not.toContain('<script')
  })

  for (const [method, path] of [
    ['GET', 'x'],
    ['GET', '%00'],
    ['GET', "'"],
    ['POST', 'x/approve'],
    ['POST', '%00/approve'],
    ['POST', '00000000-0000-4000-8000-000000000000/fail'],
    ['POST', 'x/__proto__'],
    ['POST', 'x/sign'],
  ] as const) {
    test(`404: ${method} ${path}`, async () => {
      const answer = await page(path, method)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    })
  }

  test('404: an action that is none leaves it open', async () => {
    const {
      body: { id },
    } = await create()
    expect((await page(`${id}/constructor`, 'POST')).status).toBe(404)
    expect((await read(id)).body.status).toBe('CREATED')
  })
})
