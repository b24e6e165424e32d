import { describe, expect, test } from 'bun:test'
import { sendRequest, freshPhone, signInUser } from '../../support/users'
import { server, startTestServer } from '../../support/server'
import { broken, enveloped, UUID } from '../http/forms'
import { createRequest, control, credentials, fault, getRequestId, started, status } from './provider'

const it = server({ env: { PROVIDER_RETRIES: '0' } })
const faultsOf = async (on = it) => (await control(on, 'GET')).body.data.faults
/** A request whose own calls alone go wrong, so that tests do not meet. */
const own = async () => {
  const { body } = await createRequest(it)
  return body.id as string
}

describe('the list', () => {
  test('201: a fault with its defaults, listed in the order of adding until it is removed; 404 afterwards', async () => {
    const match = crypto.randomUUID()
    const first = await fault(it, { provider: 'esign', behaviour: 'timeout', match })
    const second = await fault(it, {
      provider: 'ekyc',
      on: 'status',
      behaviour: 'error',
      times: 3,
      status: 503,
      retry_after_s: 7,
      delay_ms: 0,
      match,
    })
    expect(first).toEqual({
      id: UUID,
      provider: 'esign',
      on: 'any',
      behaviour: 'timeout',
      times: 1,
      delay_ms: null,
      status: null,
      retry_after_s: null,
      match,
    })
    expect(second).toEqual({
      id: UUID,
      provider: 'ekyc',
      on: 'status',
      behaviour: 'error',
      times: 3,
      delay_ms: 0,
      status: 503,
      retry_after_s: 7,
      match,
    })
    const listed = async () => (await faultsOf()).filter((one: { match: string }) => one.match === match)
    expect(await listed()).toEqual([first, second])
    expect(await control(it, 'DELETE', `/faults/${first.id}`)).toMatchObject({
      status: 200,
      body: { success: true, data: { message: expect.any(String) } },
    })
    expect(await listed()).toEqual([second])
    for (const id of [first.id, crypto.randomUUID(), 'x', '%00'])
      expect([id, (await control(it, 'DELETE', `/faults/${id}`)).body]).toEqual([id, enveloped(404)])
  })

  test('200: cleared at once', async () => {
    const alone = await startTestServer()
    for (let added = 0; added < 3; added++) await fault(alone, { provider: 'messages', behaviour: 'error' })
    expect((await control(alone, 'DELETE', '/faults')).status).toBe(200)
    expect(await faultsOf(alone)).toEqual([])
    await alone.end()
  })

  const good = { provider: 'esign', behaviour: 'error' }
  const wrong: [Record<string, unknown>, string][] = [
    [{ ...good, provider: 'x' }, 'provider'],
    [{ behaviour: 'error' }, 'provider'],
    [{ ...good, behaviour: 'x' }, 'behaviour'],
    [{ provider: 'esign' }, 'behaviour'],
    [{ ...good, on: 'x' }, 'on'],
    [{ ...good, times: 0 }, 'times'],
    [{ ...good, times: 1.5 }, 'times'],
    [{ ...good, times: '1' }, 'times'],
    [{ ...good, times: 1_000_001 }, 'times'],
    [{ ...good, delay_ms: -1 }, 'delay_ms'],
    [{ ...good, status: 399 }, 'status'],
    [{ ...good, status: 600 }, 'status'],
    [{ ...good, retry_after_s: -1 }, 'retry_after_s'],
    [{ ...good, match: '' }, 'match'],
    [{ ...good, match: 'a\0b' }, 'match'],
    [{ ...good, match: 'x'.repeat(256) }, 'match'],
    [{ ...good, on: 'webhook' }, 'on'],
    [{ ...good, behaviour: 'late', on: 'status' }, 'on'],
    [{ ...good, behaviour: 'succeed', on: 'cancel' }, 'on'],
    [{ ...good, behaviour: 'link', on: 'create' }, 'on'],
    [{ provider: 'ekyc', behaviour: 'error', on: 'pdf' }, 'on'],
    [{ provider: 'ekyc', behaviour: 'forged' }, 'behaviour'],
    [{ provider: 'ekyc', behaviour: 'decline' }, 'behaviour'],
    [{ provider: 'messages', behaviour: 'late' }, 'behaviour'],
    [{ ...good, behaviour: 'fail' }, 'behaviour'],
  ]
  for (const [body, property] of wrong)
    test(`400: ${JSON.stringify(body).replace(/x{20,}/, '…')}`, async () =>
      expect([(await control(it, 'POST', '/faults', body)).body]).toEqual([broken(property)]))

  test('400: a provider that is a real one', async () => {
    const real = await startTestServer({
      env: {
        EKYC_API_URL: 'http://127.0.0.1:1',
        EKYC_CLIENT_ID: 'a',
        EKYC_CLIENT_SECRET: 'b',
        EKYC_PRODUCT_INSTANCE_ID: 'c',
      },
    })
    expect((await control(real, 'POST', '/faults', { provider: 'ekyc', behaviour: 'error' })).body).toEqual(
      broken('provider'),
    )
    await real.end()
  })
})

describe('a call', () => {
  test('error: HTTP 500 or the status, with Retry-After, as often as said; then all is well', async () => {
    const id = await own()
    await fault(it, { provider: 'esign', on: 'status', behaviour: 'error', match: id, times: 2 })
    await fault(it, { provider: 'esign', behaviour: 'error', match: id, status: 429, retry_after_s: 9 })
    const answers = []
    for (let calls = 0; calls < 4; calls++) answers.push(await status(it, id))
    expect(answers.map(answer => [answer.status, answer.headers.get('retry-after')])).toEqual([
      [500, null],
      [500, null],
      [429, '9'],
      [200, null],
    ])
    expect(answers[0]!.body).toEqual({
      error: { code: 'internal_error', detail: expect.any(String), traceId: UUID },
    })
  })

  test('of calls at once no more go wrong than were to', async () => {
    const id = await own()
    await fault(it, { provider: 'esign', on: 'status', behaviour: 'error', match: id, times: 7 })
    const statuses = await Promise.all(Array.from({ length: 40 }, async () => (await status(it, id)).status))
    expect(statuses.toSorted()).toEqual([...Array(33).fill(200), ...Array(7).fill(500)])
    expect((await faultsOf()).filter(({ match }: { match: string }) => match === id)).toEqual([])
  })

  for (const behaviour of ['error', 'garbage', 'malformed', 'timeout']) {
    test(`${behaviour}: our adapter says that the provider cannot be reached`, async () => {
      const id = await own()
      await fault(it, { provider: 'esign', on: 'status', behaviour, match: id })
      expect(
        await it.deps.signing.status({ requestId: id }).catch(error => [error.code, error.status]),
      ).toEqual(['SERVICE_UNAVAILABLE', 503])
      expect(await it.deps.signing.status({ requestId: id })).toMatchObject({
        requestId: id,
        status: 'PENDING',
      })
    })
  }

  test('timeout: nothing has happened; lost: it has', async () => {
    const create = async (behaviour: string) => {
      const documentId = crypto.randomUUID()
      await fault(it, { provider: 'esign', on: 'create', behaviour, match: documentId })
      const failed = await sendRequest(it.url, 'POST', '/sandbox/esign/api/esign', {
        headers: credentials(it),
        body: {
          documentId,
          documentUrl: 'x',
          signer: { identifier: '9876543210', displayName: 'A' },
          redirectUrl: 'x',
        },
      }).catch(() => 'no answer')
      return [
        failed,
        (await control(it, 'GET')).body.data.signatures.some(
          (one: { document_id: string }) => one.document_id === documentId,
        ),
      ]
    }
    expect(await create('lost')).toEqual(['no answer', true])
    const documentId = crypto.randomUUID()
    await fault(it, { provider: 'esign', on: 'create', behaviour: 'timeout', match: documentId })
    const gaveUp = await fetch(`${it.url}/sandbox/esign/api/esign`, {
      method: 'POST',
      signal: AbortSignal.timeout(300),
      headers: { ...credentials(it), 'content-type': 'application/json' },
      body: JSON.stringify({
        documentId,
        documentUrl: 'x',
        signer: { identifier: '9876543210', displayName: 'A' },
        redirectUrl: 'x',
      }),
    }).catch(error => error.name)
    expect(gaveUp).toBe('TimeoutError')
    expect(
      (await control(it, 'GET')).body.data.signatures.some(
        (one: { document_id: string }) => one.document_id === documentId,
      ),
    ).toBe(false)
  })

  test('slow: answered in the end', async () => {
    const id = await own()
    await fault(it, { provider: 'esign', on: 'status', behaviour: 'slow', match: id, delay_ms: 50 })
    expect((await status(it, id)).body).toMatchObject({ id, status: 'sign_initiated' })
  })

  test('a call that is not the one meant goes well', async () => {
    const id = await own()
    const other = await own()
    await fault(it, { provider: 'esign', on: 'cancel', behaviour: 'error', match: id })
    expect([(await status(it, id)).status, (await status(it, other)).status]).toEqual([200, 200])
    const cancel = () =>
      sendRequest(it.url, 'POST', `/sandbox/esign/api/esign/${id}/delete/`, {
        headers: credentials(it),
        body: {},
      })
    expect([(await cancel()).status, (await cancel()).status]).toEqual([500, 204])
  })

  test('without the credentials nothing is used up', async () => {
    const id = await own()
    const { id: added } = await fault(it, { provider: 'esign', on: 'status', behaviour: 'error', match: id })
    expect((await sendRequest(it.url, 'GET', `/sandbox/esign/api/esign/${id}`)).status).toBe(401)
    expect((await control(it, 'DELETE', `/faults/${added}`)).status).toBe(200)
  })

  test('a message to a phone, and an identity check: the user is told 503, and the next try succeeds', async () => {
    const phone = freshPhone()
    await fault(it, { provider: 'messages', behaviour: 'error', match: phone })
    const ask = () => sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: phone } })
    expect([(await ask()).status, (await ask()).status]).toEqual([503, 200])
    const person = await signInUser(it.url)
    await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
    const {
      body: {
        data: { verification_url },
      },
    } = await person.call('POST', '/profile/ekyc', {})
    const {
      body: {
        data: { verification_id },
      },
    } = await person.call('POST', '/profile/ekyc', {})
    await fault(it, {
      provider: 'ekyc',
      on: 'status',
      behaviour: 'garbage',
      match: getRequestId(verification_url),
    })
    const complete = async () =>
      (await person.call('POST', '/profile/ekyc/complete', { verification_id })).status
    expect([await complete(), await complete()]).toEqual([503, 200])
  })

  test('a landlord whose provider fails is told so, and can ask again', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', on: 'create', behaviour: 'error', match: was.owner.phone })
    const sign = () =>
      was.owner.call('POST', `/agreements/${was.agreement.id}/sign`, { signer_id: was.owner.id })
    expect([(await sign()).status, (await sign()).status]).toEqual([503, 200])
  })
})
