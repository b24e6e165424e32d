import { describe, expect, test } from 'bun:test'
import { query } from '../../../../db/orm'
import { sendRequest, createDraft, signInUser, type TestUser } from '../../../support/users'
import { clock, server } from '../../../support/server'

const time = clock()
const it = server({ overrides: { now: time.now } })
const elsewhere = server({
  env: {
    ESIGN_REDIRECT_URL: 'https://app.example.com/signed?from=kiraya',
    PUBLIC_URL: 'https://api.example.com/',
  },
})
const HOUR = 3_600_000
async function started({ url } = it, more: Record<string, unknown> = {}) {
  const owner = await signInUser(url)
  const tenant = await signInUser(url)
  const { agreement } = await createDraft(owner, [tenant], more)
  const {
    body: { data },
  } = await owner.call('POST', `/agreements/${agreement.id}/sign`, { signer_id: tenant.id })
  return { owner, tenant, agreement, data, address: data.signing_url as string }
}
const open = async (address: string) => {
  const response = await fetch(address)
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    policy: response.headers.get('content-security-policy'),
    text: await response.text(),
  }
}
const press = async (address: string, button: string) => {
  const response = await fetch(`${address}/${button}`, { method: 'POST', redirect: 'manual' })
  return { status: response.status, to: response.headers.get('location'), text: await response.text() }
}
const signature = async (reader: TestUser, { id }: { id: number }) =>
  (await reader.call('GET', `/agreements/${id}/signatures`)).body.data.signatures[0]

test('a signing address has neither query nor trailing slash and begins with PUBLIC_URL', async () => {
  expect((await started()).address).toMatch(/^http:\/\/[^/?]+\/sandbox\/sign\/[0-9a-f-]{36}$/)
  expect((await started(elsewhere)).address).toMatch(
    /^https:\/\/api\.example\.com\/sandbox\/sign\/[0-9a-f-]{36}$/,
  )
})

test('its page shows the document’s link and the four buttons, without a script or a request to anybody', async () => {
  const { address } = await started(it, {
    document_url: 'https://example.com/lease.pdf?a="><script>alert(1)</script>'.replace(/ /g, ''),
  })
  const { status, type, policy, text } = await open(address)
  expect([status, type]).toEqual([200, 'text/html; charset=utf-8'])
  expect(policy).toContain("default-src 'none'")
  expect(text).toContain('href="https://example.com/lease.pdf')
  expect(text).not.toContain('<script')
  for (const [path, label] of [
    ['sign', 'Sign'],
    ['decline', 'Decline'],
    ['fail-otp', 'Fail OTP'],
    ['expire', 'Expire'],
  ]) {
    expect(text).toContain(`action="/sandbox/sign/${address.split('/').pop()}/${path}"`)
    expect(text).toContain(`>${label}</button>`)
  }
})

describe('pressing', () => {
  for (const [button, status, reason] of [
    ['sign', 'signed', null],
    ['decline', 'declined', 'signer_declined'],
    ['fail-otp', 'pending', null],
    ['expire', 'expired', null],
  ] as const) {
    test(`${button} makes the signature ${status}, and says so`, async () => {
      const { owner, agreement, address } = await started()
      const pressed = await press(address, button)
      expect([pressed.status, pressed.text]).toEqual([200, expect.stringContaining('</html>')])
      expect(await signature(owner, agreement)).toMatchObject({ status, decline_reason: reason })
    })
  }

  test('fail-otp leaves it open to be signed', async () => {
    const { owner, agreement, address } = await started()
    expect([
      (await press(address, 'fail-otp')).status,
      (await press(address, 'fail-otp')).status,
      (await press(address, 'sign')).status,
    ]).toEqual([200, 200, 200])
    expect((await signature(owner, agreement)).status).toBe('signed')
  })

  for (const button of ['sign', 'decline', 'expire']) {
    test(`${button} closes the request`, async () => {
      const { owner, agreement, address } = await started()
      await press(address, button)
      const before = await signature(owner, agreement)
      for (const again of ['sign', 'decline', 'fail-otp', 'expire'])
        expect((await press(address, again)).status).toBe(400)
      expect((await open(address)).text).not.toContain('<button')
      expect(await signature(owner, agreement)).toEqual(before)
    })
  }

  test('nothing helps after a cancellation or 72 hours', async () => {
    const cancelled = await started()
    const late = await started()
    await cancelled.owner.call('POST', `/agreements/${cancelled.agreement.id}/terminate`, {})
    expect((await press(cancelled.address, 'sign')).status).toBe(400)
    time.advance(73 * HOUR)
    expect((await press(late.address, 'sign')).status).toBe(400)
    expect((await signature(late.owner, late.agreement)).status).toBe('expired')
  })

  test('sends people to ESIGN_REDIRECT_URL where it is set', async () => {
    const { owner, agreement, address } = await started(elsewhere)
    expect(await press(address.replace('https://api.example.com', elsewhere.url), 'sign')).toMatchObject({
      status: 303,
      to: 'https://app.example.com/signed?from=kiraya',
    })
    expect((await signature(owner, agreement)).status).toBe('signed')
  })

  test('404: what is no button, and no request', async () => {
    const { address } = await started()
    for (const button of ['', 'constructor', '__proto__', 'SIGN', 'toString'])
      expect((await press(address, button)).status).toBe(404)
    for (const id of ['x', crypto.randomUUID(), '1', '%00'])
      for (const method of ['GET', 'POST'])
        expect([
          id,
          (await sendRequest(it.url, method, `/sandbox/sign/${id}${method === 'POST' ? '/sign' : ''}`))
            .status,
        ]).toEqual([id, 404])
  })
})

describe("the sandbox's API", () => {
  test('is for this installation’s own adapter alone', async () => {
    const { address } = await started()
    const id = address.split('/').pop()
    for (const headers of [{}, { 'x-client-secret': 'sandbox' }, { authorization: 'Bearer x' }])
      for (const [method, path] of [
        ['POST', ''],
        ['GET', `/${id}`],
        ['POST', `/${id}/delete/`],
      ] as const) {
        expect([
          path,
          (
            await sendRequest(it.url, method, `/sandbox/esign/api/esign${path}`, {
              headers: headers as Record<string, string>,
              body: method === 'POST' ? {} : undefined,
            })
          ).status,
        ]).toEqual([path, 401])
      }
  })

  test('shows by GET what was pressed', async () => {
    const said = async (button: string) => {
      const { data } = await started()
      await press(data.signing_url, button)
      return it.deps.signing.status({ requestId: data.signing_url.split('/').pop() })
    }
    for (const [button, status] of [
      ['sign', 'SIGNED'],
      ['decline', 'DECLINED'],
      ['fail-otp', 'PENDING'],
      ['expire', 'PENDING'],
    ] as const)
      expect([button, (await said(button))?.status]).toEqual([button, status])
    expect(await it.deps.signing.status({ requestId: crypto.randomUUID() })).toBeUndefined()
  })

  test('passes flexi options into what the sandbox keeps', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const {
      body: { data },
    } = await owner.call('POST', `/agreements/${agreement.id}/sign`, {
      signer_id: tenant.id,
      flexi_options: { template_id: 't-9', template_variables: { a: 'b' } },
    })
    const [kept] = await query(it.em())
      .selectFrom('sandbox_records')
      .where('id', '=', data.signing_url.split('/').pop())
      .select(['kind', 'data'])
      .execute()
    expect(kept).toMatchObject({
      kind: 'esign',
      data: {
        documentId: data.signature_id,
        flexiOptions: { templateId: 't-9', templateVariables: { a: 'b' } },
      },
    })
  })
})
