import { describe, expect, test } from 'bun:test'
import { testServer } from '../../support/server'
import { broken, enveloped, UUID } from '../http/forms'
import { addFailure, callControl, cancelRequest, createRequest, getRequest, getState } from './provider'

const server = testServer({ constants: { PROVIDER_RETRIES: 0 } })

/** Rules that match its id do not meet those of other tests. */
async function createRequestId(): Promise<string> {
  const { id } = await createRequest(server)
  return id
}

async function listRules(match: string) {
  const { failures } = await getState(server)
  return failures.filter((rule: { match: string }) => rule.match === match)
}

describe('the list of simulated failures', () => {
  test('201: a rule has defaults; the list keeps the order; 404: a removed rule is gone', async () => {
    const match = crypto.randomUUID()
    const first = await addFailure(server, { provider: 'esign', behaviour: 'timeout', match })
    const secondInput = {
      provider: 'ekyc',
      on: 'status',
      behaviour: 'error',
      times: 3,
      status: 503,
      retry_after_s: 7,
      delay_ms: 0,
      match,
    }
    const second = await addFailure(server, secondInput)
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
    expect(second).toEqual({ id: UUID, ...secondInput })
    expect(await listRules(match)).toEqual([first, second])

    expect(await callControl(server, 'DELETE', `/failures/${first.id}`)).toMatchObject({
      status: 200,
      body: { success: true, data: { message: expect.any(String) } },
    })
    expect(await listRules(match)).toEqual([second])
    for (const id of [first.id, crypto.randomUUID(), 'x', '%00'])
      expect([id, (await callControl(server, 'DELETE', `/failures/${id}`)).body]).toEqual([
        id,
        enveloped(404),
      ])
  })
})

const valid = { provider: 'esign', behaviour: 'error' }
const invalidRules: [field: string, rule: Record<string, unknown>][] = [
  ['on', { ...valid, on: 'webhook' }],
  ['on', { ...valid, behaviour: 'late', on: 'status' }],
  ['on', { ...valid, behaviour: 'succeed', on: 'cancel' }],
  ['on', { ...valid, behaviour: 'link', on: 'create' }],
  ['on', { provider: 'ekyc', behaviour: 'error', on: 'pdf' }],
  ['behaviour', { provider: 'ekyc', behaviour: 'forged' }],
  ['behaviour', { provider: 'ekyc', behaviour: 'decline' }],
  ['behaviour', { provider: 'messages', behaviour: 'late' }],
  ['behaviour', { ...valid, behaviour: 'fail' }],
]
test.each(invalidRules)(
  '400: simulated failures that no call can follow: names %s in %j',
  async (field, rule) => {
    expect((await callControl(server, 'POST', '/failures', rule)).body).toEqual(broken(field))
  },
)

describe('which calls a rule changes', () => {
  test('rules apply in their order, each as often as it says; then calls succeed', async () => {
    const id = await createRequestId()
    await addFailure(server, { provider: 'esign', on: 'status', behaviour: 'error', match: id, times: 2 })
    const rateLimit = { status: 429, retry_after_s: 9 }
    await addFailure(server, { provider: 'esign', behaviour: 'error', match: id, ...rateLimit })

    const responses = []
    for (let calls = 0; calls < 4; calls++) responses.push(await getRequest(server, id))
    expect(responses.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [500, null],
      [500, null],
      [429, '9'],
      [200, null],
    ])
    expect(responses[0]!.body).toEqual({
      error: { code: 'internal_error', detail: expect.any(String), traceId: UUID },
    })
  })

  test('concurrent calls do not use a rule more often than it says', async () => {
    const id = await createRequestId()
    await addFailure(server, { provider: 'esign', on: 'status', behaviour: 'error', match: id, times: 7 })
    const responses = await Promise.all(Array.from({ length: 40 }, () => getRequest(server, id)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array(33).fill(200), ...Array(7).fill(500)])
    expect(await listRules(id)).toEqual([])
  })

  test('a rule changes neither other calls nor other requests', async () => {
    const id = await createRequestId()
    const otherId = await createRequestId()
    await addFailure(server, { provider: 'esign', on: 'cancel', behaviour: 'error', match: id })
    expect((await getRequest(server, id)).status).toBe(200)
    expect((await getRequest(server, otherId)).status).toBe(200)

    const cancel = () => cancelRequest(server, id)
    expect([(await cancel()).status, (await cancel()).status]).toEqual([500, 204])
  })
})

describe('how a call fails', () => {
  const failures = ['error', 'garbage', 'malformed', 'timeout']
  test.each(failures)('503: %s is an unavailable provider to the adapter, once', async behaviour => {
    const id = await createRequestId()
    await addFailure(server, { provider: 'esign', on: 'status', behaviour, match: id })
    const readStatus = () => server.deps.signing.status({ requestId: id })
    expect(await readStatus().catch(error => [error.code, error.status])).toEqual([
      'SERVICE_UNAVAILABLE',
      503,
    ])
    expect(await readStatus()).toMatchObject({ requestId: id, status: 'PENDING' })
  })

  async function isCreated(documentId: string) {
    const { signatures } = await getState(server)
    return signatures.some((signature: { document_id: string }) => signature.document_id === documentId)
  }

  test('lost: the call takes effect without a response', async () => {
    const documentId = crypto.randomUUID()
    await addFailure(server, { provider: 'esign', on: 'create', behaviour: 'lost', match: documentId })
    const response = await createRequest(server, { documentId }).catch(() => 'no response')
    expect(response).toBe('no response')
    expect(await isCreated(documentId)).toBe(true)
  })
})
