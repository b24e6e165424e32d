import { beforeAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../db/orm'
import { startServer } from '../../../server/process/server'
import { sendRequest, createLandlord, createUnit, signInUser, agreementTerms } from '../../support/users'
import { server, startTestServer } from '../../support/server'
import {
  control,
  fault,
  receivedWebhooks,
  getRequestId,
  applyOutcome,
  signatureOf,
  started,
  until,
} from './provider'

const it = server()
let told: ReturnType<typeof receivedWebhooks>
beforeAll(() => void (told = receivedWebhooks(it)))
const HOUR = 3_600_000

describe('the webhook of a signature', () => {
  test('never: the signer has signed, and nobody is told', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', behaviour: 'never', match: was.id })
    expect((await applyOutcome(it, was.id)).body.data).toMatchObject({ status: 'signed', error: null })
    expect([
      told(was.id),
      (await signatureOf(was)).status,
      (await it.deps.signing.status({ requestId: was.id }))?.status,
    ]).toEqual([[], 'pending', 'SIGNED'])
  })

  test('twice: one signature, one activation', async () => {
    const was = await started(it)
    await applyOutcome(
      it,
      getRequestId(
        (await was.owner.call('POST', `/agreements/${was.agreement.id}/sign`, { signer_id: was.owner.id }))
          .body.data.signing_url,
      ),
    )
    await fault(it, { provider: 'esign', behaviour: 'twice', match: was.id })
    await applyOutcome(it, was.id)
    expect(told(was.id)).toEqual(['ESIGN_COMPLETE', 'ESIGN_COMPLETE'])
    expect((await was.owner.call('GET', `/agreements/${was.agreement.id}`)).body.data.status).toBe('ACTIVE')
    const { events } = (await was.owner.call('GET', `/agreements/${was.agreement.id}/timeline`)).body.data
    expect(events.filter(({ type }: { type: string }) => type === 'activated')).toHaveLength(1)
  })

  test('forged: only a wrong signature comes, which is refused', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', behaviour: 'forged', match: was.id })
    await applyOutcome(it, was.id)
    expect([told(was.id), (await signatureOf(was)).status]).toEqual([['forged ESIGN_COMPLETE'], 'pending'])
  })

  test('shuffled: it comes after the next one, and the end is the same', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', behaviour: 'shuffled', match: was.id })
    await applyOutcome(it, was.id, 'fail-otp')
    expect(told(was.id)).toEqual([])
    await applyOutcome(it, was.id)
    expect([told(was.id), (await signatureOf(was)).status]).toEqual([
      ['ESIGN_COMPLETE', 'ESIGN_OTP_FAILED'],
      'signed',
    ])
  })

  test('a page that is opened tells so once, however many open it at once', async () => {
    const was = await started(it)
    await Promise.all(Array.from({ length: 5 }, () => fetch(was.address)))
    await fetch(was.address)
    expect(told(was.id)).toEqual(['ESIGN_WEBHOOK_NOTIFICATION'])
    expect(await it.deps.signing.status({ requestId: was.id })).toMatchObject({
      status: 'PENDING',
      viewed: true,
    })
    const { events } = (await was.owner.call('GET', `/agreements/${was.agreement.id}/timeline`)).body.data
    expect(events.filter(({ type }: { type: string }) => type === 'viewed')).toHaveLength(1)
  })
})

describe('the clock', () => {
  test('brings what is late', async () => {
    const alone = await startTestServer()
    const told = receivedWebhooks(alone)
    const was = await started(alone)
    await fault(alone, { provider: 'esign', behaviour: 'late', delay_ms: 6 * HOUR })
    await applyOutcome(alone, was.id)
    expect([told(was.id), (await control(alone, 'GET')).body.data.held_webhooks]).toEqual([[], 1])
    await control(alone, 'POST', '/clock', { advance_ms: 5 * HOUR })
    expect(told(was.id)).toEqual([])
    await control(alone, 'POST', '/clock', { advance_ms: HOUR })
    expect([
      told(was.id),
      (await signatureOf(was)).status,
      (await control(alone, 'GET')).body.data.held_webhooks,
    ]).toEqual([['ESIGN_COMPLETE'], 'signed', 0])
    await alone.end()
  })

  test('brings what was shuffled and has nothing to come after', async () => {
    const alone = await startTestServer()
    const told = receivedWebhooks(alone)
    const was = await started(alone)
    await fault(alone, { provider: 'esign', behaviour: 'shuffled' })
    await applyOutcome(alone, was.id, 'decline')
    await control(alone, 'POST', '/clock', { advance_ms: 2 * 60_000 })
    expect([told(was.id), (await signatureOf(was)).status]).toEqual([['ESIGN_FAILED'], 'declined'])
    await alone.end()
  })

  test('lets requests expire, and their signers are told of', async () => {
    const alone = await startTestServer()
    const told = receivedWebhooks(alone)
    const open = await started(alone)
    const signed = await started(alone)
    await applyOutcome(alone, signed.id)
    await control(alone, 'POST', '/clock', { advance_ms: 73 * HOUR })
    expect([
      told(open.id),
      (await signatureOf(open)).status,
      told(signed.id),
      (await signatureOf(signed)).status,
    ]).toEqual([['ESIGN_EXPIRED'], 'expired', ['ESIGN_COMPLETE'], 'signed'])
    expect((await applyOutcome(alone, open.id)).status).toBe(400)
    await alone.end()
  })

  test('what was late is brought by the server that is started next', async () => {
    const first = await startTestServer()
    const was = await started(first)
    await fault(first, { provider: 'esign', behaviour: 'late', delay_ms: HOUR })
    await applyOutcome(first, was.id)
    await first.stop()
    const second = startServer(
      { ...first.deps.config, PORT: 0 },
      openDatabase(first.deps.config.DATABASE_URL!),
      first.deps.log,
      { now: () => new Date(Date.now() + 2 * HOUR) },
    )
    await second.ready
    const owner = await signInUser(second.url, was.owner.phone)
    await sendRequest(second.url, 'GET', '/sandbox/control')
    expect(
      await until(
        () => signatureOf({ owner, agreement: was.agreement }),
        ({ status }) => status !== 'pending',
      ),
    ).toMatchObject({ status: 'signed' })
    await second.stop()
    await first.end()
  })
})

describe('by itself', () => {
  for (const [behaviour, status] of [
    ['succeed', 'signed'],
    ['decline', 'declined'],
    ['expire', 'expired'],
  ] as const) {
    test(`${behaviour}: the next signature is ${status}`, async () => {
      const owner = await createLandlord(it.url)
      const mine = await draftOf(owner, await signInUser(it.url))
      await fault(it, { provider: 'esign', behaviour, match: owner.phone, delay_ms: 0 })
      await owner.call('POST', `/agreements/${mine.id}/sign`, { signer_id: owner.id })
      expect(
        await until(
          () => signatureOf({ owner, agreement: mine }),
          one => one.status !== 'pending',
        ),
      ).toMatchObject({ status })
    })
  }

  test('fail-otp: it stays open', async () => {
    const owner = await createLandlord(it.url)
    const mine = await draftOf(owner, await signInUser(it.url))
    await fault(it, { provider: 'esign', behaviour: 'fail-otp', match: owner.phone, delay_ms: 0 })
    const {
      body: { data },
    } = await owner.call('POST', `/agreements/${mine.id}/sign`, { signer_id: owner.id })
    const id = getRequestId(data.signing_url)
    expect(
      await until(
        async () => told(id),
        events => events.length > 0,
      ),
    ).toEqual(['ESIGN_OTP_FAILED'])
    expect((await applyOutcome(it, id)).status).toBe(200)
    expect((await signatureOf({ owner, agreement: mine })).status).toBe('signed')
  })

  for (const [behaviour, expected] of [
    ['succeed', 200],
    ['fail', 400],
  ] as const) {
    test(`${behaviour}: the next identity check`, async () => {
      const alone = await startTestServer({ env: { SANDBOX_EKYC: behaviour === 'fail' ? 'auto' : 'manual' } })
      const person = await signInUser(alone.url)
      await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
      await fault(alone, { provider: 'ekyc', behaviour })
      const {
        body: {
          data: { verification_id },
        },
      } = await person.call('POST', '/profile/ekyc', {})
      expect((await person.call('POST', '/profile/ekyc/complete', { verification_id })).status).toBe(expected)
      await alone.end()
    })
  }

  test('a check that is to be decided later waits for it, and its webhook settles it', async () => {
    const alone = await startTestServer()
    const person = await signInUser(alone.url)
    await person.call('PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' })
    await fault(alone, { provider: 'ekyc', behaviour: 'succeed', delay_ms: HOUR })
    const {
      body: {
        data: { verification_id },
      },
    } = await person.call('POST', '/profile/ekyc', {})
    expect((await person.call('POST', '/profile/ekyc/complete', { verification_id })).status).toBe(400)
    await control(alone, 'POST', '/clock', { advance_ms: HOUR })
    expect((await person.call('GET', '/auth/me')).body.data.user.has_verified_profile).toBe(true)
    await alone.end()
  })
})

const draftOf = async (owner: Awaited<ReturnType<typeof createLandlord>>, tenant: { id: number }) => {
  const { unit } = await createUnit(owner)
  return (await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id]))).body.data as {
    id: number
  }
}
