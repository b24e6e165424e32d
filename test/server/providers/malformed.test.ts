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
const reminder = {
  kind: 'reminder' as const,
  agreement_number: 'AGR-2026-000017',
  signing_url: 'https://sign.example.com/460b4de8',
}
const addresses = { redirectUrl: 'https://api.example.com/verified', webhookUrl: 'https://api.example.com/x' }
const flexi = createRecordedProvider()
const whatsApp = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp' })
const sms = createRecordedProvider({ MESSAGE_CHANNELS: 'sms' })

type Providers = ReturnType<typeof flexi.replay>
type Call = (providers: Providers) => Promise<unknown>

const startNative: Call = ({ signing }) => signing.initiate(REQUEST)
const startAgain: Call = ({ signing }) => signing.initiate({ ...REQUEST, earlier: [EARLIER] })
const readNative: Call = ({ signing }) => signing.status({ requestId: ID, providerSignatureId: RAVI })
const cancelNative: Call = ({ signing }) => signing.cancel(ID)
const downloadNative: Call = ({ signing }) => signing.download(ID)
const sendCode: Call = ({ sendMessage }) => sendMessage(PHONE, { kind: 'otp', otp: OTP, lifetimeMs: 300_000 })

/** Each call, and the responses before the one under test. */
const calls: [what: string, at: typeof flexi, where: string, call: Call, before?: Recorded[]][] = [
  ['a start', flexi, 'e-signing POST /api/esign', ({ signing }) => signing.initiate(REQUEST)],
  ['a status', flexi, `e-signing GET /api/esign/${ID}`, ({ signing }) => signing.status({ requestId: ID })],
  ['a cancellation', flexi, `e-signing POST /api/esign/${ID}/delete/`, ({ signing }) => signing.cancel(ID)],
  ['a download', flexi, `e-signing GET /api/esign/${ID}/pdf`, ({ signing }) => signing.download(ID)],
  ['an upload', native, 'e-signing POST /api/documents', startNative, [document]],
  ['a native start', native, 'e-signing POST /api/signature', startNative, [document, uploaded]],
  ['an earlier native request', native, `e-signing GET /api/signature/${EARLIER}`, startAgain],
  ['a native status', native, `e-signing GET /api/signature/${ID}`, readNative],
  ['a native deletion', native, `e-signing POST /api/signature/${ID}/delete/`, cancelNative, [initiated]],
  ['a native download', native, `e-signing GET /api/signature/${ID}/download/`, downloadNative],
  ['an identity check', flexi, 'eKYC POST /api/ekyc/', ({ kyc }) => kyc.start(addresses)],
  ['the status of an identity check', flexi, `eKYC GET /api/ekyc/${ID}`, ({ kyc }) => kyc.status(ID)],
  ['an OTP by WhatsApp', whatsApp, 'messaging POST /v23.0/106540352242922/messages', sendCode],
  ['an OTP by SMS', sms, 'messaging POST /api/v5/otp', sendCode],
  [
    'a reminder by SMS',
    sms,
    'messaging POST /api/v5/flow',
    providers => providers.sendMessage(PHONE, reminder),
  ],
]

/** What a provider says of an error, in each of their formats, with a credential and with what we sent. */
const body = {
  error: { code: 'no_code_of_theirs', detail: 'x-client-secret the-client-secret does not match' },
  errorMsg: `${PHONE} of Asha Rao`,
  message: `The OTP ${OTP} is not allowed for the-auth-key`,
}

describe.each(calls)('%s', (_, at, where, call, before = []) => {
  test.each([400, 401, 403, 413, 429, 500, 502, 503])(
    'answered %d: 503, and repeats nothing of the response',
    async status => {
      const failure = await at.getFailure(call(at.replay(...before, { status, body })), { body })
      expect(failure).toEqual(unavailable(`${where} answered ${status}`))
      expect(where).toEndWith(at.requests.at(-1)!.path)
    },
  )

  // Nobody reads the body of a deletion's response.
  const malformed = where.endsWith('/delete/') ? [] : Object.entries(MALFORMED)
  test.each(malformed)('503: %s is malformed', async (__, answer) => {
    const failure = await at.getFailure(call(at.replay(...before, answer)), answer)
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(where).toEndWith(at.requests.at(-1)!.path)
  })
})
