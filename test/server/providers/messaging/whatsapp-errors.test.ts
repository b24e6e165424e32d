import { describe, expect, test } from 'bun:test'
import { createRecordedProvider, type Recorded } from '../../../support/recorded-provider'

const WHATSAPP = '/v23.0/106540352242922/messages'
const SMS = '/api/v5/otp'
const sentByWhatsApp: Recorded = { body: { messages: [{ id: 'wamid.HBgMOTE5ODc2NTQzMjEwFQIAERgS' }] } }
const sentBySms: Recorded = { body: { type: 'success', request_id: '336372747a4d393133353937' } }

const provider = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp,sms' }, { PROVIDER_RETRIES: 1 })

const toError = (code: number, status: number): Recorded => ({
  status,
  body: { error: { message: `(#${code}) An error`, type: 'OAuthException', code } },
})

type Adapters = ReturnType<typeof provider.replay>
const send = ({ sendMessage }: Adapters) =>
  sendMessage('9876543210', { kind: 'otp', otp: '480251', lifetimeMs: 300_000 })

async function sendAgainst(...recorded: Recorded[]) {
  await send(provider.replay(...recorded))
  return provider.requests.map(({ path }) => path)
}

const listErrors = () => provider.logLines.filter(line => JSON.parse(line).level === 'error')

describe.each([400, 429, 500, 503])('with status %d', status => {
  test.each([130429, 131048])('code %d: WhatsApp is asked again later', async code => {
    expect(await sendAgainst(toError(code, status), sentByWhatsApp)).toEqual([WHATSAPP, WHATSAPP])
  })

  test.each([
    ['undeliverable', 131026],
    ['rejected', 100],
    ['rejected', 131008],
  ])('%s, code %d: the next channel sends at once', async (outcome, code) => {
    expect(await sendAgainst(toError(code, status), sentBySms)).toEqual([WHATSAPP, SMS])
    expect(await provider.getMetric('kiraya_messages_total')).toContain(`outcome="${outcome}"`)
    expect(listErrors()).toEqual([])
  })

  test.each([0, 10, 190])(
    'code %d: the next channel sends at once, and operators are alerted',
    async code => {
      expect(await sendAgainst(toError(code, status), sentBySms)).toEqual([WHATSAPP, SMS])
      expect(await provider.getMetric('kiraya_messages_total')).toContain('outcome="misconfigured"')
      expect(listErrors()).toEqual([expect.stringContaining('check its settings')])
    },
  )
})

describe('the circuit breaker', () => {
  const strict = createRecordedProvider({ MESSAGE_CHANNELS: 'whatsapp' }, { PROVIDER_BREAKER_FAILURES: 1 })

  /** Whether a second message is sent after the first one failed. */
  async function isAskedAfter(answer: Recorded) {
    const adapters = strict.replay(answer, sentByWhatsApp)
    await send(adapters).catch(() => {})
    await send(adapters).catch(() => {})
    return strict.requests.length === 2
  }

  test.each([2, 131000])('code %d opens it, whatever the status: WhatsApp has trouble', async code => {
    expect(await isAskedAfter(toError(code, 400))).toBe(false)
  })

  test.each([131026, 190, 100, 130429])('code %d does not open it, whatever the status', async code => {
    expect(await isAskedAfter(toError(code, 500))).toBe(true)
  })

  test('a code that is not known leaves it to the status', async () => {
    expect(await isAskedAfter(toError(999_999, 400))).toBe(true)
    expect(await isAskedAfter(toError(999_999, 500))).toBe(false)
  })
})
