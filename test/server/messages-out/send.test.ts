import { beforeEach, expect, test } from 'bun:test'
import { sendMessages } from '../../../server/messages-out/send'
import { writeMessage } from '../../../server/messages-out/write'
import type { Message } from '../../../server/providers/messaging/port'
import { NotSentError, ProviderHttpError } from '../../../server/providers/provider-errors'
import { refuse } from '../../../server/errors'
import { clock, testServer } from '../../support/server'
import { createDraft, createLandlord, signInUser, type TestUser } from '../../support/users'
import { erase } from '../privacy/erasing'

const time = clock(new Date('2026-12-01T06:30:00Z'))
const sent: string[] = []
let answer: () => Promise<string | void>
const server = testServer({
  constants: { rateLimitMultiplier: 1, MESSAGE_LIMIT_PER_PERSON: 2 } as object,
  overrides: {
    now: time.now,
    sendMessage: async (phone: string, { kind }: Message) => {
      if (kind === 'otp') return
      sent.push(phone)
      return answer()
    },
  },
})

const fail = (cause: Error) => () =>
  Promise.reject(refuse('provider_unreachable', { provider: 'x' }, { cause }))

beforeEach(() => {
  sent.length = 0
  answer = async () => 'wamid.1'
})

async function createLease() {
  const [landlord, tenant] = [await createLandlord(server), await signInUser(server)]
  const { agreement } = await createDraft(landlord, [tenant])
  const write = (dedupeKey: string) =>
    server.deps.db.transactional(em =>
      writeMessage({ em, now: time.now }, { kind: 'settlement', to: [tenant.id], agreement, dedupeKey }),
    )
  return { landlord, tenant, write }
}

const listStates = ({ id }: TestUser) =>
  server.db
    .selectFrom('messages_out')
    .where('user_id', '=', id)
    .orderBy('id')
    .select(['state', 'provider_id', 'language'])
    .execute()
const run = () => sendMessages(server.deps)

test('a message is sent once, whatever its change repeats, and two runs at once', async () => {
  const { tenant, write } = await createLease()
  const key = crypto.randomUUID()
  await write(key)
  await write(key)

  await Promise.all([run(), run()])
  await run()

  expect(sent).toEqual([tenant.phone])
  expect(await listStates(tenant)).toEqual([{ state: 'sent', provider_id: 'wamid.1', language: 'en' }])
})

test.each([
  ['is lost', new ProviderHttpError(500, 'POST /x'), 'unknown', 1],
  ['is a refusal of the recipient', new ProviderHttpError(400, 'POST /x', 'undeliverable'), 'queued', 2],
  ['says that nothing was sent', new NotSentError('refused'), 'queued', 2],
])('a message whose answer %s', async (_, error, state, attempts) => {
  const { tenant, write } = await createLease()
  await write(crypto.randomUUID())
  answer = fail(error)
  await run()
  expect(await listStates(tenant)).toMatchObject([{ state }])

  time.advance(3_600_000)
  answer = async () => 'wamid.2'
  await run()

  expect(sent).toHaveLength(attempts)
  expect(await listStates(tenant)).toMatchObject([{ state: attempts > 1 ? 'sent' : 'unknown' }])
})

test('a server that stops while it sends leaves a message that no other sends', async () => {
  const { tenant, write } = await createLease()
  await write(crypto.randomUUID())
  const stopped = Promise.withResolvers<string>()
  answer = () => stopped.promise
  const first = run()
  while (sent.length === 0) await Bun.sleep(5)

  time.advance(86_400_000)
  answer = async () => 'wamid.3'
  await run()
  expect(await listStates(tenant)).toMatchObject([{ state: 'unknown' }])
  stopped.resolve('wamid.4')
  await first

  expect(sent).toHaveLength(1)
})

test('what is above the cap of a day is sent on the next', async () => {
  const { tenant, write } = await createLease()
  for (let n = 0; n < 5; n++) await write(crypto.randomUUID())

  const days: number[] = []
  for (let day = 0; day < 3; day++) {
    await run()
    days.push(sent.length)
    time.advance(86_400_000)
  }

  expect(days).toEqual([2, 4, 5])
  expect((await listStates(tenant)).every(({ state }) => state === 'sent')).toBe(true)
})

test('an erasure deletes the messages of the person, who gets none any more', async () => {
  const { tenant, write } = await createLease()
  await write(crypto.randomUUID())
  await erase(server, tenant)
  await write(crypto.randomUUID())

  await run()

  expect([sent, await listStates(tenant)]).toEqual([[], []])
})
