import { describe, expect, test } from 'bun:test'
import {
  createRecordedProvider,
  MALFORMED,
  unavailable,
  type Recorded,
} from '../../support/recorded-provider'
import {
  document,
  EARLIER,
  ID,
  initiated,
  provider as native,
  RAVI,
  REQUEST,
  uploaded,
} from './signing/recorded-native'

const PHONE = '9876543210'
const OTP = '480251'
const reminder = { agreement_number: 'AGR-2026-000017', signing_url: 'https://sign.example.com/460b4de8' }
const addresses = { redirectUrl: 'https://api.example.com/verified', webhookUrl: 'https://api.example.com/x' }
const flexi = createRecordedProvider()
const whatsApp = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp' })
const sms = createRecordedProvider({ MESSAGE_CHANNELS: 'sms' })

type Providers = ReturnType<typeof flexi.replay>
type Call = {
  at: typeof flexi
  /** The responses before the one under test. */
  before?: Recorded[]
  call: (providers: Providers) => Promise<unknown>
  where: string
  /** Its responses have no body that anybody reads. */
  hasNoBody?: boolean
}

const calls: Record<string, Call> = {
  'a start': {
    at: flexi,
    call: ({ signing }) => signing.initiate(REQUEST),
    where: 'e-signing POST /api/esign',
  },
  'a status': {
    at: flexi,
    call: ({ signing }) => signing.status({ requestId: ID }),
    where: `e-signing GET /api/esign/${ID}`,
  },
  'a cancellation': {
    at: flexi,
    call: ({ signing }) => signing.cancel(ID),
    where: `e-signing POST /api/esign/${ID}/delete/`,
    hasNoBody: true,
  },
  'a download': {
    at: flexi,
    call: ({ signing }) => signing.download(ID),
    where: `e-signing GET /api/esign/${ID}/pdf`,
  },
  'a native upload': {
    at: native,
    before: [document],
    call: ({ signing }) => signing.initiate(REQUEST),
    where: 'e-signing POST /api/documents',
  },
  'a native start': {
    at: native,
    before: [document, uploaded],
    call: ({ signing }) => signing.initiate(REQUEST),
    where: 'e-signing POST /api/signature',
  },
  'the reading of an earlier native request': {
    at: native,
    call: ({ signing }) => signing.initiate({ ...REQUEST, earlier: [EARLIER] }),
    where: `e-signing GET /api/signature/${EARLIER}`,
  },
  'a native status': {
    at: native,
    call: ({ signing }) => signing.status({ requestId: ID, providerSignatureId: RAVI }),
    where: `e-signing GET /api/signature/${ID}`,
  },
  'a native deletion': {
    at: native,
    before: [initiated],
    call: ({ signing }) => signing.cancel(ID),
    where: `e-signing POST /api/signature/${ID}/delete/`,
    hasNoBody: true,
  },
  'a native download': {
    at: native,
    call: ({ signing }) => signing.download(ID),
    where: `e-signing GET /api/signature/${ID}/download/`,
  },
  'an identity check': { at: flexi, call: ({ kyc }) => kyc.start(addresses), where: 'eKYC POST /api/ekyc/' },
  'the status of an identity check': {
    at: flexi,
    call: ({ kyc }) => kyc.status(ID),
    where: `eKYC GET /api/ekyc/${ID}`,
  },
  'an OTP by WhatsApp': {
    at: whatsApp,
    call: ({ sendOtp }) => sendOtp(PHONE, OTP, 300_000),
    where: 'messaging POST /v23.0/106540352242922/messages',
  },
  'an OTP by SMS': {
    at: sms,
    call: ({ sendOtp }) => sendOtp(PHONE, OTP, 300_000),
    where: 'messaging POST /api/v5/otp',
  },
  'a reminder by SMS': {
    at: sms,
    call: ({ sendReminder }) => sendReminder(PHONE, reminder),
    where: 'messaging POST /api/v5/flow',
  },
}

/** What a provider says of an error, in each of their formats, with a credential and with what we sent. */
const body = {
  error: { code: 'no_code_of_theirs', detail: 'x-client-secret the-client-secret does not match' },
  errorMsg: `${PHONE} of Asha Rao`,
  message: `The OTP ${OTP} is not allowed for the-auth-key`,
}

describe.each(Object.entries(calls))('%s', (_, { at, before = [], call, where, hasNoBody }) => {
  test.each([400, 401, 403, 413, 429, 500, 502, 503])(
    'answered %d: 503, and repeats nothing of the response',
    async status => {
      const failure = await at.getFailure(call(at.replay(...before, { status, body })), { body })
      expect(failure).toEqual(unavailable(`${where} answered ${status}`))
      expect(where).toEndWith(at.requests.at(-1)!.path)
    },
  )

  test.each(hasNoBody ? [] : Object.entries(MALFORMED))('503: %s is malformed', async (__, answer) => {
    const failure = await at.getFailure(call(at.replay(...before, answer)), answer)
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(where).toEndWith(at.requests.at(-1)!.path)
  })
})
