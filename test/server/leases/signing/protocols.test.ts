import { expect, test } from 'bun:test'
import { interrupt, lockRow } from '../../../support/locks'
import type { TestResponse } from '../../../support/users'
import { enveloped, TIMESTAMP, UUID } from '../../http/forms'
import { start } from './provider'
import { protocols, type Protocol } from './protocols'

const HOUR_MS = 3_600_000
const toSeen = ({ status, body }: TestResponse) => [status, body]
const failed = () => new Response(null, { status: 500 })

const opened = protocols.map(([name, open]) => [name, open()] as const)

/** A draft that the landlord has signed and for which the tenant has been asked. */
async function createAlmostSigned({ createDraft, sign }: Protocol) {
  const draft = await createDraft()
  const { owner, tenant, agreement } = draft
  await start(owner, agreement, owner)
  await sign(owner)
  const { data } = await start(owner, agreement, tenant)
  return { ...draft, signature_id: data.signature_id as string }
}

test.each(opened)(
  '%s: 200: the first start makes a draft PENDING, the next ones repeat it',
  async (_, protocol) => {
    const { time, createDraft, getSignatures, getStatus, listCancelled } = protocol
    const { owner, tenant, agreement } = await createDraft()
    const first = await start(owner, agreement, tenant)

    const signing_url = expect.stringMatching(/^https:\/\/sign\.example\.com\//)
    const expires_at = new Date(time.now().getTime() + 72 * HOUR_MS).toISOString()
    const data = { signature_id: UUID, signing_url, expires_at, status: 'pending' }
    expect(toSeen(first)).toEqual([200, { success: true, message: expect.any(String), data }])
    for (const caller of [tenant, owner])
      expect(toSeen(await start(caller, agreement, tenant))).toEqual(toSeen(first))
    expect(listCancelled(tenant)).toEqual([false])
    expect(await getStatus(owner, agreement)).toBe('PENDING')
    const { signatures, allSigned } = await getSignatures(owner, agreement)
    expect(allSigned).toBe(false)
    expect(signatures.find((each: { signer_id: number }) => each.signer_id === tenant.id)).toEqual({
      id: expect.any(Number),
      signature_id: first.data.signature_id,
      signer_id: tenant.id,
      signer_role: 'tenant',
      status: 'pending',
      expires_at: TIMESTAMP,
      provider: expect.stringMatching(/^setu/),
      accepted_at: null,
      decline_reason: null,
    })
  },
)

test.each(opened)('%s: two starts at once for one signer share one request', async (_, protocol) => {
  const { server, createDraft, listCancelled } = protocol
  const { owner, tenant, agreement } = await createDraft()
  const responses = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => Promise.all([start(owner, agreement, tenant), start(tenant, agreement, tenant)]),
    waitingCount: 2,
  })
  expect(responses[0]!.status).toBe(200)
  expect(toSeen(responses[0]!)).toEqual(toSeen(responses[1]!))
  expect(listCancelled(tenant)).toEqual([false])
})

test.each(opened)(
  '%s: ACTIVE once all have signed, also by late and repeated webhooks',
  async (_, protocol) => {
    const { createDraft, getSignatures, getStatus, getTimeline, listCancelled } = protocol
    const { owner, tenant, tenants, agreement, path } = await createDraft({ tenants: 2 })
    const parties = [owner, ...tenants]
    for (const party of parties) await start(owner, agreement, party)
    for (const party of [tenant, owner]) expect((await protocol.sign(party)).status).toBe(200)
    expect(await getStatus(owner, agreement)).toBe('PENDING')
    expect(await getSignatures(owner, agreement)).toMatchObject({
      allSigned: false,
      signatures: [{ status: 'signed' }, { status: 'signed' }, { status: 'pending' }],
    })

    protocol.noteSignature(tenants[1]!)
    for (const party of [tenants[1]!, tenant, tenants[1]!, owner])
      expect((await protocol.tell(party)).status).toBe(200)

    expect(await getStatus(owner, agreement)).toBe('ACTIVE')
    expect((await getSignatures(owner, agreement)).allSigned).toBe(true)
    const types = (await getTimeline(owner, agreement)).entries.map(({ type }) => type)
    expect(types.filter(type => type === 'activated')).toHaveLength(1)
    expect(types.filter(type => type === 'signed')).toHaveLength(3)
    expect((await owner.get(`${path}/document`)).status).toBe(200)
    expect(parties.flatMap(listCancelled)).not.toContain(true)
  },
)

test.each(opened)('%s: who opens the page has viewed it, once, and can still sign', async (_, protocol) => {
  const { getStatus, getTimeline } = protocol
  const { owner, tenant, agreement } = await createAlmostSigned(protocol)
  for (let times = 0; times < 2; times++) await protocol.view(tenant)
  const { entries } = await getTimeline(owner, agreement)
  const viewed = entries.filter(({ type }) => type === 'viewed')
  expect(viewed.map(({ actor_id }) => actor_id)).toEqual([tenant.id])
  await protocol.sign(tenant)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
})

test.each(opened)('%s: 200: an ended signature is replaced; the others stay', async (_, protocol) => {
  const { getSignatures, getStatus, listCancelled } = protocol
  for (const outcome of ['declined', 'expired'] as const) {
    const { owner, tenant, agreement, signature_id } = await createAlmostSigned(protocol)
    await protocol[outcome === 'declined' ? 'decline' : 'expire'](tenant)
    const decline_reason = outcome === 'declined' ? 'signer_declined' : null
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
      { status: 'signed', signed_at: TIMESTAMP },
      { signature_id, status: outcome, decline_reason },
    ])
    expect(await getStatus(owner, agreement)).toBe('PENDING')

    const { data: second } = await start(tenant, agreement, tenant)
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
      { status: 'signed' },
      { signature_id: second.signature_id, status: 'pending' },
    ])
    expect([second.signature_id === signature_id, listCancelled(tenant).length]).toEqual([false, 2])
    await protocol.sign(tenant)
    expect(await getStatus(owner, agreement)).toBe('ACTIVE')
  }
})

test.each(opened)(
  '%s: 200: a signature ends when the provider says, and is replaced',
  async (_, protocol) => {
    const { time, createDraft, getSignatures, listCancelled } = protocol
    const { owner, tenant, agreement } = await createDraft()
    const end = new Date(time.now().getTime() + 5 * HOUR_MS).toISOString()
    protocol.expireAt(end)
    const { data: first } = await start(owner, agreement, tenant)
    expect(first.expires_at).toBe(end)
    protocol.expireAt(undefined)

    time.advance(5 * HOUR_MS - 1)
    expect((await start(owner, agreement, tenant)).data.signature_id).toBe(first.signature_id)
    time.advance(1)
    const { signatures } = await getSignatures(owner, agreement)
    expect(signatures.at(-1)).toMatchObject({ signer_id: tenant.id, status: 'expired' })
    const { data: second } = await start(owner, agreement, tenant)
    expect(second.signature_id).not.toBe(first.signature_id)
    expect(listCancelled(tenant)).toEqual([true, false])
  },
)

test.each(opened)('%s: 400: an overdue signature that was signed in time counts', async (_, protocol) => {
  const { time, createDraft } = protocol
  const { owner, tenant, agreement } = await createDraft()
  await start(owner, agreement, tenant)
  protocol.noteSignature(tenant)
  time.advance(73 * HOUR_MS)
  const message = 'The signer has already signed this agreement'
  expect(toSeen(await start(owner, agreement, tenant))).toEqual([400, enveloped(400, message)])
})

test.each(opened)('%s: 503: the provider fails; nothing changes until a later start', async (_, protocol) => {
  const { createDraft, getSignatures, findRecords } = protocol
  const { owner, tenant, agreement, path } = await createDraft()
  protocol.fail('create', failed)
  const refused = await start(owner, agreement, tenant)
  expect(toSeen(refused)).toEqual([503, enveloped(503, 'The e-signing provider cannot be reached')])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await owner.get(path)).data).toEqual(agreement)
  expect(await getSignatures(owner, agreement)).toEqual({ signatures: [], allSigned: false })
  const unsent = { status: 'EXPIRED', provider: protocol.name, last_error: 'not_sent' }
  expect(await findRecords(agreement)).toMatchObject([{ ...unsent, provider_request_id: null }])
  expect((await owner.patch(path, { rent_amount: 26000 })).status).toBe(200)
  protocol.recover()
  expect((await start(owner, agreement, tenant)).status).toBe(200)
})

test.each(opened)('%s: 503: the provider fails one party; other signatures stay', async (_, protocol) => {
  const { getSignatures, getStatus } = protocol
  const { owner, tenant, agreement } = await createAlmostSigned(protocol)
  await protocol.decline(tenant)
  protocol.fail('create', failed)
  expect((await start(owner, agreement, tenant)).status).toBe(503)
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
    { status: 'signed' },
    { status: 'declined' },
  ])
  expect(await getStatus(owner, agreement)).toBe('PENDING')
})

test.each(opened)(
  '%s: 503: the provider fails at a read back; the next webhook counts',
  async (_, protocol) => {
    const { getStatus } = protocol
    const { owner, tenant, agreement } = await createAlmostSigned(protocol)
    protocol.fail('read', failed)
    expect(toSeen(await protocol.sign(tenant))).toEqual([503, enveloped(503)])
    expect(await getStatus(owner, agreement)).toBe('PENDING')
    protocol.recover()
    expect((await protocol.tell(tenant)).status).toBe(200)
    expect(await getStatus(owner, agreement)).toBe('ACTIVE')
  },
)

test.each(opened)('%s: 200: a termination cancels an unsigned request, if it can', async (_, protocol) => {
  const { createDraft, getSignatures, getStatus, listCancelled } = protocol
  for (const isFailing of [false, true]) {
    const { owner, tenant, agreement, path } = await createDraft()
    await start(owner, agreement, tenant)
    if (isFailing) protocol.fail('cancel', failed)
    expect((await owner.post(`${path}/terminate`)).status).toBe(200)
    expect(listCancelled(tenant)).toEqual([!isFailing])
    expect(await getStatus(owner, agreement)).toBe('TERMINATED')
    const { signatures } = await getSignatures(owner, agreement)
    expect(signatures.map(({ status }: { status: string }) => status)).not.toContain('pending')
  }
})
