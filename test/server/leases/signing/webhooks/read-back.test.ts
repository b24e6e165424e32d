import { describe, expect, test } from 'bun:test'
import { AgreementSignature } from '../../../../../db/entities'
import { reconcileSignatures } from '../../../../../server/leases/signing/reconciliation'
import { reconcileWebhooks } from '../../../../../server/leases/signing/inbox'
import { clock } from '../../../../support/server'
import { signInUser } from '../../../../support/users'
import { signingServer } from '../signing-fixtures'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const time = clock()
const { provider, server, deliver, createPending, listWebhooks } = signingServer({
  constants: { PROVIDER_RETRIES: 0, PROVIDER_BREAKER_FAILURES: 1000 },
  overrides: { now: time.now },
})

type Pending = Awaited<ReturnType<typeof createPending>>
type Claim = { event: string; errCode: string | null }
const claims: Record<'declined' | 'expired', Claim> = {
  declined: { event: 'ESIGN_FAILED', errCode: 'signer_declined' },
  expired: { event: 'ESIGN_EXPIRED', errCode: null },
}
const ends = Object.keys(claims) as (keyof typeof claims)[]

const toPayload = ({ request }: Pending, { event, errCode }: Claim) =>
  provider.news(event, request, { errCode, nonce: crypto.randomUUID() })

async function claim(pending: Pending, end: keyof typeof claims) {
  const payload = toPayload(pending, claims[end])
  const { status } = await deliver(payload)
  return { status, outcomes: (await listWebhooks(payload)).map(({ outcome }) => outcome) }
}

/** Its status and reason as the landlord sees them, who may have to sign in again. */
async function readSignature({ owner, agreement, id }: Pending) {
  const reader = await signInUser(server, owner.phone)
  const { data } = await reader.get(`/agreements/${agreement.id}/signatures`)
  return data.signatures.find((each: { signature_id: string }) => each.signature_id === id)?.status
}

describe('a webhook', () => {
  test.each(ends)('that says %s does not count while the provider says pending', async end => {
    const pending = await createPending()

    expect(await claim(pending, end)).toEqual({ status: 200, outcomes: ['pending'] })

    expect(await readSignature(pending)).toBe('pending')
  })

  test.each([
    ['declined', 'expired'],
    ['expired', 'declined'],
  ] as const)('that says %s counts as %s if the provider says so', async (end, truth) => {
    const pending = await createPending()
    provider.ends(pending.id, truth)
    const counted = end === 'declined' ? 'pending' : truth

    expect(await claim(pending, end)).toEqual({ status: 200, outcomes: [counted] })

    expect(await readSignature(pending)).toBe(counted)
  })

  test.each([
    ['has passed', -1, 'expired'],
    ['ends now', 0, 'expired'],
    ['has not passed', 1000, 'pending'],
  ])('about an expiry: the validity at the provider %s', async (_, ms, status) => {
    const pending = await createPending()
    provider.becomes(pending.id, { validUpto: new Date(time.now().getTime() + ms).toISOString() })

    await claim(pending, 'expired')

    expect(await readSignature(pending)).toBe(status)
  })

  test.each(ends)('that says %s of a request that the provider no longer knows: expired', async end => {
    const pending = await createPending()
    provider.becomes(pending.id, { cancelled: true })

    expect(await claim(pending, end)).toEqual({ status: 200, outcomes: ['expired'] })

    expect(await readSignature(pending)).toBe('expired')
  })
})

describe('the job', () => {
  test.each(ends)('reads %s back too, from a webhook that could not be checked', async end => {
    const [untrue, truth] = [await createPending(), await createPending()]
    provider.replies.read = () => new Response('x', { status: 500 })
    for (const pending of [untrue, truth])
      expect(await claim(pending, end)).toEqual({ status: 503, outcomes: [null] })
    delete provider.replies.read
    provider.ends(truth.id, end)
    time.advance(2 * MINUTE_MS)

    await reconcileWebhooks(server.deps)

    expect([await readSignature(untrue), await readSignature(truth)]).toEqual(['pending', end])
  })

  test.each(ends)('learns that a signer signed after all, of whom a webhook said %s before', async end => {
    const pending = await createPending()
    provider.ends(pending.id, end)
    await claim(pending, end)
    expect<string>(await findStored(pending)).toBe(end.toUpperCase())
    provider.completes(pending.id)
    time.advance(6 * MINUTE_MS)

    await reconcileSignatures(server.deps)

    expect([await findStored(pending), await pending.status()]).toEqual(['SIGNED', 'ACTIVE'])
  })

  test.each([
    ['soon', 6 * MINUTE_MS],
    ['once its time is over', 73 * HOUR_MS],
  ])('learns of a signature whose webhook was lost, %s', async (_, ms) => {
    const pending = await createPending()
    provider.completes(pending.id)
    time.advance(4 * MINUTE_MS)
    await reconcileSignatures(server.deps)
    expect(await findStored(pending)).toBe('PENDING')
    time.advance(ms)

    await reconcileSignatures(server.deps)

    expect([await findStored(pending), await pending.status()]).toEqual(['SIGNED', 'ACTIVE'])
  })

  test('counts a refusal that it reads, and an expiry only after it has read the status', async () => {
    const [refused, overdue] = [await createPending(), await createPending()]
    provider.ends(refused.id, 'declined')
    time.advance(6 * MINUTE_MS)
    await reconcileSignatures(server.deps)
    expect(await readSignature(refused)).toBe('declined')

    provider.replies.read = () => new Response('x', { status: 500 })
    time.advance(73 * HOUR_MS)
    await reconcileSignatures(server.deps)
    expect(await findStored(overdue)).toBe('PENDING')
    delete provider.replies.read
    time.advance(200 * HOUR_MS)
    await reconcileSignatures(server.deps)
    expect(await findStored(overdue)).toBe('EXPIRED')
    expect(provider.of(overdue.id).cancelled).toBe(true)
  })
})

/** The stored status: a read shows an overdue signature as expired before the job has run. */
const findStored = async ({ id }: Pending) =>
  (await server.em().findOneOrFail(AgreementSignature, { signature_id: id })).status
