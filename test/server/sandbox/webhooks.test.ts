import { beforeAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../db/database'
import { startServer } from '../../../server/process/server'
import { waitUntil } from '../../support/round'
import { testServer, startTestServer } from '../../support/server'
import { sendRequest, signInUser } from '../../support/users'
import {
  addFailure,
  applyOutcome,
  getEntryTypes,
  getRequestId,
  getSignature,
  recordWebhooks,
  requestSignature,
  startSigning,
} from './provider'

const HOUR_MS = 3_600_000
const server = testServer()
let listWebhooks: ReturnType<typeof recordWebhooks>['listWebhooks']
beforeAll(() => {
  ;({ listWebhooks } = recordWebhooks(server))
})

const count = (values: string[], wanted: string) => values.filter(value => value === wanted).length

describe('simulated failures for the webhook of a signature', () => {
  test('never: the signature stays pending, although the provider has it', async () => {
    const signing = await startSigning(server)
    await addFailure(server, { provider: 'esign', behaviour: 'never', match: signing.id })

    const { body } = await applyOutcome(server, signing.id)
    expect(body.data).toMatchObject({ status: 'signed', error: null })
    expect(listWebhooks(signing.id)).toEqual([])
    expect((await getSignature(signing)).status).toBe('pending')
    expect(await server.deps.signing.status({ requestId: signing.id })).toMatchObject({ status: 'SIGNED' })
  })

  test('twice: the agreement is activated once', async () => {
    const signing = await startSigning(server)
    const { owner, agreement } = signing
    const { signing_url } = await requestSignature(owner, agreement, owner)
    await applyOutcome(server, getRequestId(signing_url))
    await addFailure(server, { provider: 'esign', behaviour: 'twice', match: signing.id })

    await applyOutcome(server, signing.id)
    expect(listWebhooks(signing.id)).toEqual(['ESIGN_COMPLETE', 'ESIGN_COMPLETE'])
    const { body } = await owner.call('GET', `/agreements/${agreement.id}`)
    expect(body.data.status).toBe('ACTIVE')
    expect(count(await getEntryTypes(owner, agreement), 'activated')).toBe(1)
  })

  test('forged: the only webhook has a wrong signature and is refused', async () => {
    const signing = await startSigning(server)
    await addFailure(server, { provider: 'esign', behaviour: 'forged', match: signing.id })
    await applyOutcome(server, signing.id)
    expect(listWebhooks(signing.id)).toEqual(['forged ESIGN_COMPLETE'])
    expect((await getSignature(signing)).status).toBe('pending')
  })
})

test('opening the page sends one webhook, however often it is opened at the same time', async () => {
  const { address, id, owner, agreement } = await startSigning(server)
  await Promise.all(Array.from({ length: 5 }, () => fetch(address)))
  await fetch(address)
  expect(listWebhooks(id)).toEqual(['ESIGN_WEBHOOK_NOTIFICATION'])
  expect(await server.deps.signing.status({ requestId: id })).toMatchObject({
    status: 'PENDING',
    viewed: true,
  })
  expect(count(await getEntryTypes(owner, agreement), 'viewed')).toBe(1)
})

test('a late webhook of a stopped server is delivered by the next one', async () => {
  const first = await startTestServer()
  const { owner, agreement, id } = await startSigning(first)
  await addFailure(first, { provider: 'esign', behaviour: 'late', delay_ms: HOUR_MS })
  await applyOutcome(first, id)
  await first.stop()

  const { config, log } = first.deps
  const second = startServer({ ...config, PORT: 0 }, openDatabase(config.DATABASE_URL!), log, {
    now: () => new Date(Date.now() + 2 * HOUR_MS),
  })
  await second.ready
  const ownerAtSecond = await signInUser(second.url, owner.phone)
  await sendRequest(second.url, 'GET', '/sandbox/control')
  const readStatus = async () => (await getSignature({ owner: ownerAtSecond, agreement })).status
  await waitUntil(async () => (await readStatus()) === 'signed', 'the late webhook')
  await second.stop()
  await first.end()
})
