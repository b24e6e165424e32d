import { beforeAll, describe, expect, test } from 'bun:test'
import { openDatabase } from '../../../db/orm'
import { serve } from '../../../server/serve'
import { call, landlord, listUnit, signIn, terms } from '../../support/people'
import { server, startServer } from '../../support/server'
import { control, fault, heard, idOf, press, signatureOf, started, until } from './provider'

const it = server()
let told: ReturnType<typeof heard>
beforeAll(() => void (told = heard(it)))
const HOUR = 3_600_000

describe('the webhook of a signature', () => {
  test('never: the signer has signed, and nobody is told', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', behaviour: 'never', match: was.id })
    expect((await press(it, was.id)).body.data).toMatchObject({ status: 'signed', error: null })
    expect([
      told(was.id),
      (await signatureOf(was)).status,
      (await it.deps.signing.status({ requestId: was.id }))?.status,
    ]).toEqual([[], 'pending', 'SIGNED'])
  })

  test('twice: one signature, one activation', async () => {
    const was = await started(it)
    await press(
      it,
      idOf(
        (await was.owner.call('POST', `/agreements/${was.agreement.id}/sign`, { signer_id: was.owner.id }))
          .body.data.signing_url,
      ),
    )
    await fault(it, { provider: 'esign', behaviour: 'twice', match: was.id })
    await press(it, was.id)
    expect(told(was.id)).toEqual(['ESIGN_COMPLETE', 'ESIGN_COMPLETE'])
    expect((await was.owner.call('GET', `/agreements/${was.agreement.id}`)).body.data.status).toBe('ACTIVE')
    const { events } = (await was.owner.call('GET', `/agreements/${was.agreement.id}/timeline`)).body.data
    expect(events.filter(({ type }: { type: string }) => type === 'activated')).toHaveLength(1)
  })

  test('forged: only a wrong signature comes, which is refused', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', behaviour: 'forged', match: was.id })
    await press(it, was.id)
    expect([told(was.id), (await signatureOf(was)).status]).toEqual([['forged ESIGN_COMPLETE'], 'pending'])
  })

  test('shuffled: it comes after the next one, and the end is the same', async () => {
    const was = await started(it)
    await fault(it, { provider: 'esign', behaviour: 'shuffled', match: was.id })
    await press(it, was.id, 'fail-otp')
    expect(told(was.id)).toEqual([])
    await press(it, was.id)
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
    const alone = await startServer()
    const told = heard(alone)
    const was = await started(alone)
    await fault(alone, { provider: 'esign', behaviour: 'late', delay_ms: 6 * HOUR })
    await press(alone, was.id)
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
    const alone = await startServer()
    const told = heard(alone)
    const was = await started(alone)
    await fault(alone, { provider: 'esign', behaviour: 'shuffled' })
    await press(alone, was.id, 'decline')
    await control(alone, 'POST', '/clock', { advance_ms: 2 * 60_000 })
    expect([told(was.id), (await signatureOf(was)).status]).toEqual([['ESIGN_FAILED'], 'declined'])
    await alone.end()
  })

  test('lets requests expire, and their signers are told of', async () => {
    const alone = await startServer()
    const told = heard(alone)
    const open = await started(alone)
    const signed = await started(alone)
    await press(alone, signed.id)
    await control(alone, 'POST', '/clock', { advance_ms: 73 * HOUR })
    expect([
      told(open.id),
      (await signatureOf(open)).status,
      told(signed.id),
      (await signatureOf(signed)).status,
    ]).toEqual([['ESIGN_EXPIRED'], 'expired', ['ESIGN_COMPLETE'], 'signed'])
    expect((await press(alone, open.id)).status).toBe(400)
    await alone.end()
  })

  test('what was late is brought by the server that is started next', async () => {
    const first = await startServer()
    const was = await started(first)
    await fault(first, { provider: 'esign', behaviour: 'late', delay_ms: HOUR })
    await press(first, was.id)
    await first.stop()
    const second = serve(
      { ...first.deps.config, PORT: 0 },
      openDatabase(first.deps.config.DATABASE_URL!),
      first.deps.log,
      { now: () => new Date(Date.now() + 2 * HOUR) },
    )
    await second.ready
    const owner = await signIn(second.url, was.owner.phone)
    await call(second.url, 'GET', '/sandbox/control')
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
      const owner = await landlord(it.url)
      const mine = await draftOf(owner, await signIn(it.url))
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
    const owner = await landlord(it.url)
    const mine = await draftOf(owner, await signIn(it.url))
    await fault(it, { provider: 'esign', behaviour: 'fail-otp', match: owner.phone, delay_ms: 0 })
    const {
      body: { data },
    } = await owner.call('POST', `/agreements/${mine.id}/sign`, { signer_id: owner.id })
    const id = idOf(data.signing_url)
    expect(
      await until(
        async () => told(id),
        events => events.length > 0,
      ),
    ).toEqual(['ESIGN_OTP_FAILED'])
    expect((await press(it, id)).status).toBe(200)
    expect((await signatureOf({ owner, agreement: mine })).status).toBe('signed')
  })

  for (const [behaviour, expected] of [
    ['succeed', 200],
    ['fail', 400],
  ] as const) {
    test(`${behaviour}: the next identity check`, async () => {
      const alone = await startServer({ env: { SANDBOX_EKYC: behaviour === 'fail' ? 'auto' : 'manual' } })
      const person = await signIn(alone.url)
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
    const alone = await startServer()
    const person = await signIn(alone.url)
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

const draftOf = async (owner: Awaited<ReturnType<typeof landlord>>, tenant: { id: number }) => {
  const { unit } = await listUnit(owner)
  return (await owner.call('POST', '/agreements', terms(unit.id, [tenant.id]))).body.data as { id: number }
}
