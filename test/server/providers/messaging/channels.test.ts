import { expect, test } from 'bun:test'
import { refuse, type ApiError } from '../../../../server/errors'
import { recordLog } from '../../../support/log'
import { createMetrics } from '../../../../server/observability/metrics'
import { createMessaging } from '../../../../server/providers/messaging/index'
import { RecipientError, type Channel, type Message } from '../../../../server/providers/messaging/port'
import {
  ProviderHttpError,
  UnexplainedError,
  type ProviderErrorKind,
} from '../../../../server/providers/provider-errors'

const PHONE = '9876543210'

const toApiError = (cause: Error) => refuse('provider_unreachable', { provider: 'messaging' }, { cause })
const answer = (status: number, kind?: ProviderErrorKind) =>
  toApiError(new ProviderHttpError(status, 'POST /x', kind))

/** Channels that fail as given; those without an error send. */
function createChannels(
  errors: Record<string, Error | undefined>,
  templates: Channel['templates'] = { otp: 'a', reminder: 'b', invitation: 'c', settlement: 'd' },
) {
  const sent: unknown[][] = []
  const { lines, log } = recordLog()
  const metrics = createMetrics()
  const channels = Object.entries(errors).map(([name, error]): Channel => {
    const send = async (...message: unknown[]) => {
      if (error) throw error
      sent.push([name, ...message])
    }
    return { name, templates, send }
  })
  return { send: createMessaging(channels, log, metrics), sent, lines, metrics }
}

const listCounts = async ({ metrics }: ReturnType<typeof createChannels>) => {
  const { values } = await metrics.messages.get()
  return values.map(({ labels, value }) => [labels.channel, labels.kind, labels.outcome, value])
}

const messages = {
  otp: { kind: 'otp', otp: '123456', lifetimeMs: 60_000 },
  reminder: {
    kind: 'reminder',
    agreement_number: 'AGR-2026-000001',
    signing_url: 'https://sign.example.com',
  },
  invitation: { kind: 'invitation', url: 'https://app.example.com' },
  settlement: { kind: 'settlement', agreement_number: 'AGR-2026-000001', url: 'https://app.example.com' },
} satisfies Record<string, Message>

test.each([
  ['otp', 'a', 'the one-time password'],
  ['reminder', 'b', 'the reminder'],
  ['invitation', 'c', 'the invitation'],
] as const)(
  '%s: a channel that fails is followed by the next one, as log and metrics say',
  async (kind, template, what) => {
    const messaging = createChannels({ first: answer(500), second: undefined, third: undefined })

    await messaging.send(PHONE, messages[kind])

    expect(messaging.sent).toEqual([['second', PHONE, messages[kind], template]])
    expect(messaging.lines).toMatchObject([
      {
        level: 'warn',
        channel: 'first',
        msg: `A channel failed to send ${what}; trying the next one`,
        err: { cause: { message: 'POST /x answered 500' } },
      },
    ])
    expect(await listCounts(messaging)).toEqual([
      ['first', kind, 'failed', 1],
      ['second', kind, 'sent', 1],
    ])
  },
)

test.each([
  ['may have been sent', answer(500), ['first']],
  ['was refused', answer(400, 'undeliverable'), ['first', 'second']],
])('a message that is sent once and %s by a channel', async (_, error, tried) => {
  const messaging = createChannels({ first: error, second: undefined })
  await messaging.send(PHONE, messages.settlement).catch(() => {})
  expect((await listCounts(messaging)).map(([channel]) => channel)).toEqual(tried)
})

test('credentials that a channel refuses alert the operators, also if no other channel is left', async () => {
  const messaging = createChannels({ only: answer(401, 'misconfigured') })

  await expect(messaging.send(PHONE, messages.otp)).rejects.toMatchObject({ status: 503 })

  expect(messaging.lines).toMatchObject([
    { level: 'error', channel: 'only', msg: 'A channel refuses our credentials: check its settings' },
  ])
  expect(await listCounts(messaging)).toEqual([['only', 'otp', 'misconfigured', 1]])
})

test.each([
  ['reminder', 'No channel sends the reminder'],
  ['invitation', 'No channel sends the invitation'],
] as const)('503: no channel sends a %s', async (kind, reason) => {
  const messaging = createChannels({ only: undefined }, { otp: 'a' })
  const error = (await messaging.send(PHONE, messages[kind]).catch((thrown: unknown) => thrown)) as ApiError
  expect([error.status, (error.cause as Error).message]).toEqual([503, reason])
})

const unexplained = toApiError(new UnexplainedError('an error'))

test.each<[what: string, errors: Error[], status: number, isDueToRecipient: boolean]>([
  ['outages', [answer(500), answer(503)], 503, false],
  ['limits and credentials', [answer(429), answer(401), answer(403), answer(408)], 503, false],
  ['a request that is wrong', [answer(400)], 503, true],
  ['an error without a reason', [unexplained], 503, true],
  ['a number that is not reached', [answer(400, 'undeliverable')], 400, true],
  ['a number that is not reached, and a refusal', [answer(400, 'undeliverable'), answer(400)], 400, true],
  ['a number that is not reached, and an outage', [answer(400, 'undeliverable'), answer(500)], 503, true],
  ['a rejection by its own code, whatever the status', [answer(500, 'rejected')], 503, true],
  ['trouble by its own code, whatever the status', [answer(400, 'failed')], 503, false],
  ['an error that is no answer', [new Error('lost')], 0, false],
])('after %s the caller is told %i', async (_, errors, status, isDueToRecipient) => {
  const named = Object.fromEntries(errors.map((error, index) => [`channel ${index}`, error]))
  const messaging = createChannels(named)

  const told: unknown = await messaging.send(PHONE, messages.otp).catch((error: unknown) => error)

  expect(told instanceof RecipientError).toBe(isDueToRecipient)
  if (status === 0) expect(told).toBe(errors[0]!)
  else expect((told as ApiError).status).toBe(status)
})
