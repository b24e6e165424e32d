import { describe, expect, test } from 'bun:test'
import { reconcileKyc } from '../../../../server/accounts/profile/reconciliation'
import { clock, testServer } from '../../../support/server'
import { sendRequest, type TestUser } from '../../../support/users'
import { enveloped, plain } from '../../http/forms'
import {
  completeCheck,
  createCompletedUser,
  findChecks,
  requestCheck,
  startCheck,
  toResult,
} from './fixtures'
import { createKycProvider, failures } from './kyc-provider'

/** The job looks at a check for the first time. */
const FIRST_CHECK_MS = 6 * 60_000

const time = clock()
const provider = createKycProvider()
const server = testServer({
  env: provider.env,
  constants: { PROVIDER_TIMEOUT_MS: 2000, PROVIDER_TOTAL_TIMEOUT_MS: 4000, PROVIDER_RETRIES: 0 },
  overrides: { now: time.now },
})

const aadhaar = { name: 'Asha Rao', aadhaarNumber: '912345678901' }

async function createCheck() {
  const user = await createCompletedUser(server)
  const { verification_id: id } = await startCheck(user)
  return { user, id }
}
const findCheck = async (user: TestUser) => (await findChecks(server, user))[0]!
async function sendWebhook(user: TestUser) {
  const { provider_request_id: id } = await findCheck(user)
  const body = { event: 'EKYC_DATA', data: { id, status: 'ERROR' } }
  return (await sendRequest(server, 'POST', '/webhooks/ekyc', { body })).status
}

test('a start stores the provider, its request and its address', async () => {
  const user = await createCompletedUser(server)
  const { verification_url } = await startCheck(user)
  expect(verification_url).toBe(`https://kyc.example.com/${provider.countCreated()}`)
  expect(await findChecks(server, user)).toMatchObject([
    { provider: 'setu', provider_request_id: `request-${provider.countCreated()}`, verification_url },
  ])
  expect(provider.requests.findLast(({ method }) => method === 'POST')!.body).toEqual({
    redirection_url: 'https://api.example.com/verified',
    webhook_url: 'https://api.example.com/webhooks/ekyc',
  })
})

test.each(['x'.repeat(400), 'As\0ha', '\ud83c'])(
  '200: the name of an identity may be one that no column takes',
  async name => {
    const { user, id } = await createCheck()
    provider.setStatus('SUCCESS', { aadhaar: { ...aadhaar, name }, xml: '' })
    expect((await completeCheck(user, id)).status).toBe(200)
  },
)

describe('a status', () => {
  test('changes from CREATED to KYC_REQUESTED and SUCCESS, and never back', async () => {
    const { user, id } = await createCheck()
    const complete = async (status: string, data: unknown = null) => {
      provider.setStatus(status, data)
      const response = await completeCheck(user, id)
      return [response.status, (await findCheck(user)).status]
    }
    expect(await complete('CREATED')).toEqual([400, 'CREATED'])
    expect(await complete('KYC_REQUESTED')).toEqual([400, 'KYC_REQUESTED'])
    expect(await complete('CREATED')).toEqual([400, 'KYC_REQUESTED'])
    expect((await startCheck(user)).verification_id).toBe(id)
    expect(await complete('SUCCESS', { aadhaar, xml: '' })).toEqual([200, 'SUCCESS'])
    expect(await complete('ERROR')).toEqual([200, 'SUCCESS'])
  })

  test('ERROR is final; its code and message are stored', async () => {
    const { user, id } = await createCheck()
    provider.setStatus('ERROR', null, { errorCode: 'upstream_service_error', errorMsg: 'UIDAI is down' })
    expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
    provider.setStatus('SUCCESS', { aadhaar, xml: '' })
    expect(toResult(await completeCheck(user, id))).toEqual([400, enveloped(400)])
    expect(await findChecks(server, user)).toMatchObject([
      { status: 'ERROR', error_code: 'upstream_service_error', error_message: 'UIDAI is down', name: null },
    ])
  })

  test('400: that has become SUCCESS at the provider ends the open check that a start finds', async () => {
    const { user } = await createCheck()
    provider.setStatus('SUCCESS', { aadhaar, xml: '' })
    expect((await requestCheck(user)).status).toBe(400)
    expect(await findChecks(server, user)).toMatchObject([{ status: 'SUCCESS' }])
  })
})

const { 'does not know the request': forget, ...answers } = failures
const unstorable = () => Response.json({ id: 'a\0b', status: 'CREATED', kycURL: 'https://kyc.example.com/' })

describe('503: a start, if the provider', () => {
  test.each(Object.entries({ ...answers, 'creates an id that no column takes': unstorable }))(
    '%s: no record is left',
    async (_, fail) => {
      const user = await createCompletedUser(server)
      provider.replies.start = fail
      expect(toResult(await requestCheck(user))).toEqual([503, enveloped(503)])
      expect(await findChecks(server, user)).toEqual([])
      delete provider.replies.start
      expect((await requestCheck(user)).status).toBe(200)
    },
  )

  test('fails for requests at once: no record is left', async () => {
    const user = await createCompletedUser(server)
    provider.replies.start = answers.fails
    const responses = await Promise.all([1, 2, 3].map(() => requestCheck(user)))
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503])
    expect(await findChecks(server, user)).toEqual([])
  })
})

test.each(Object.entries(answers))(
  '503: a completion, if the provider %s: nothing is changed, and a later one succeeds',
  async (_, fail) => {
    const { user, id } = await createCheck()
    const before = await findCheck(user)
    provider.replies.status = fail
    const inA = await user.post('/profile/ekyc/complete', { verificationId: id })
    expect(toResult(await completeCheck(user, id))).toEqual([503, enveloped(503)])
    expect(toResult(inA)).toEqual([503, plain(503)])
    expect(await sendWebhook(user)).toBe(503)
    expect((await startCheck(user)).verification_id).toBe(id)
    expect(await findChecks(server, user)).toEqual([before])
    delete provider.replies.status
    provider.setStatus('SUCCESS', { aadhaar, xml: '' })
    expect((await completeCheck(user, id)).status).toBe(200)
  },
)

const forgotten = {
  status: 'ERROR',
  error_code: 'unknown_to_provider',
  error_message: 'The provider no longer knows the verification',
}
const endings: Record<string, (user: TestUser, id: string) => Promise<unknown>> = {
  'a completion': async (user, id) => {
    const { status, error } = await completeCheck(user, id)
    expect([status, error.message]).toEqual([400, 'The verification failed; start a new one'])
  },
  'a start': async (user, id) => expect((await startCheck(user)).verification_id).not.toBe(id),
  'a callback': async user => expect(await sendWebhook(user)).toBe(200),
  'the job': () => {
    time.advance(FIRST_CHECK_MS)
    return reconcileKyc(server.deps)
  },
}
test.each(Object.entries(endings))(
  '%s ends a check that the provider no longer knows, and another one can start',
  async (_, end) => {
    const { user, id } = await createCheck()
    provider.replies.status = forget
    await end(user, id)
    expect(await findCheck(user)).toMatchObject(forgotten)
    expect((await startCheck(user)).verification_id).not.toBe(id)
  },
)
