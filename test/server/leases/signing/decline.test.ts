import { describe, expect, test } from 'bun:test'
import { sendReminders } from '../../../../server/leases/signing/reminders'
import { clock } from '../../../support/server'
import { createDraft, type TestUser } from '../../../support/users'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

const time = clock()
const reminded: string[] = []
const sendMessage = async (phone: string, { kind }: { kind: string }) => {
  if (kind === 'reminder') reminded.push(phone)
}
const signing = signingServer({ overrides: { now: time.now, sendMessage } })
const { provider, server, tell, signs, getSignatures, getStatus, findRecords } = signing
const { createUsers, createSimpleDraft, createManagedDraft } = signing

type AgreementId = { id: number }
const decline = (user: TestUser, { id }: AgreementId, body: object = {}) =>
  user.post(`/agreements/${id}/decline`, body)

describe('200: a pending agreement', () => {
  test('is declined with a reason, and the open request is cancelled at the provider', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    const { data: asked } = await start(owner, agreement, tenant)

    const declined = await decline(tenant, agreement, { reason: 'The rent is too high' })

    const view = {
      signature_id: asked.signature_id,
      status: 'declined',
      decline_reason: 'The rent is too high',
    }
    expect([declined.status, declined.body]).toEqual([
      200,
      { success: true, message: expect.any(String), data: view },
    ])
    expect(provider.of(asked.signature_id).cancelled).toBe(true)
    expect(await getSignatures(owner, agreement)).toMatchObject({
      allSigned: false,
      signatures: [{ ...view, signer_id: tenant.id }],
    })
    expect(await getStatus(owner, agreement)).toBe('PENDING')
    const { entries } = await signing.getTimeline(owner, agreement)
    expect(entries.at(-1)).toMatchObject({
      type: 'declined',
      actor_id: tenant.id,
      details: { signer_id: tenant.id, signature_id: asked.signature_id, reason: 'The rent is too high' },
    })
  })

  test('is declined by a party who was not asked yet, and who can be asked again', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    await signs(owner, agreement, owner)

    expect((await decline(tenant, agreement)).status).toBe(200)
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
      { signer_id: owner.id, status: 'signed' },
      { signer_id: tenant.id, status: 'declined', signer_role: 'tenant', decline_reason: null },
    ])

    await signs(owner, agreement, tenant)
    expect(await getStatus(owner, agreement)).toBe('ACTIVE')
  })
})

describe('200: a refusal', () => {
  test('counts once, however often and however concurrently it is asked', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    await start(owner, agreement, tenant)

    const repeated = await Promise.all(
      ['a', 'b', 'c', 'd'].map(reason => decline(tenant, agreement, { reason })),
    )
    const again = await decline(tenant, agreement, { reason: 'e' })

    expect([...repeated, again].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set([...repeated, again].map(({ data }) => data.decline_reason)).size).toBe(1)
    const { entries, intact } = await signing.getTimeline(owner, agreement)
    expect([intact, entries.filter(({ type }) => type === 'declined').length]).toEqual([true, 1])
  })

  test('is possible for the manager and the landlord as well', async () => {
    const { owner, manager, tenant, agreement } = await createManagedDraft()
    await start(owner, agreement, tenant)
    for (const user of [manager, owner]) expect((await decline(user, agreement)).status).toBe(200)
    expect((await findRecords(agreement)).map(({ signer_role, status }) => [signer_role, status])).toEqual([
      ['TENANT', 'PENDING'],
      ['MANAGER', 'DECLINED'],
      ['LANDLORD', 'DECLINED'],
    ])
  })

  test('ends the reminders, also those of a request that had expired', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    const { data } = await start(owner, agreement, tenant)
    provider.ends(data.signature_id, 'expired')
    await tell('ESIGN_EXPIRED', provider.of(data.signature_id))
    // A second request that was never sent is the latest one.
    provider.replies.create = () => new Response(null, { status: 400 })
    expect((await start(owner, agreement, tenant)).status).toBe(503)
    delete provider.replies.create
    await decline(tenant, agreement)
    for (let day = 0; day < 4; day++) {
      time.advance(24 * 3_600_000)
      await sendReminders(server.deps)
    }
    expect(reminded).not.toContain(tenant.phone)
    const statuses = (await findRecords(agreement)).map(({ status }) => status)
    expect(statuses).toEqual(['EXPIRED', 'DECLINED'])
  })
})

describe('200: a draft', () => {
  test('that a tenant declined cannot be signed until it names another', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    const [successor] = await createUsers(1)

    expect((await decline(tenant, agreement, { reason: 'No' })).status).toBe(200)
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
      { signer_id: tenant.id, status: 'declined', decline_reason: 'No' },
    ])
    for (const signer of [owner, tenant]) {
      const refused = await start(owner, agreement, signer)
      expect([refused.status, refused.error.message]).toEqual([
        400,
        `Replace the tenants ${tenant.id}: they declined this draft`,
      ])
    }
    expect(await getStatus(owner, agreement)).toBe('DRAFT')

    await owner.patch(`/agreements/${agreement.id}`, { tenant_ids: [successor.id] })
    for (const signer of [owner, successor]) await signs(owner, agreement, signer)
    expect(await getStatus(owner, agreement)).toBe('ACTIVE')
    expect((await decline(tenant, agreement)).status).toBe(404)
  })

  test('that a tenant declined is gone for them, and stays for the landlord', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    const other = await createDraft(owner, [tenant])
    const listIds = async (user: TestUser) => {
      const { data, body } = await user.get('/agreements')
      return { ids: data.map(({ id }: AgreementId) => id), total: body.metadata.total }
    }
    await decline(tenant, agreement)

    expect(await listIds(tenant)).toEqual({ ids: [other.agreement.id], total: 1 })
    expect((await listIds(owner)).ids.toSorted()).toEqual([agreement.id, other.agreement.id].toSorted())
    for (const path of ['', '/timeline', '/signatures'])
      expect((await tenant.get(`/agreements/${agreement.id}${path}`)).status).toBe(404)

    // A pending agreement stays.
    await start(owner, other.agreement, tenant)
    await decline(tenant, other.agreement)
    expect(await listIds(tenant)).toEqual({ ids: [other.agreement.id], total: 1 })
  })

  test('that is declined while its first request is being sent stays a draft; the request is cancelled', async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    provider.replies.after = async ({ body }) => {
      delete provider.replies.after
      expect([body !== undefined, (await decline(tenant, agreement)).status]).toEqual([true, 200])
    }

    expect((await start(owner, agreement, owner)).status).toBe(400)
    expect(await getStatus(owner, agreement)).toBe('DRAFT')
    expect(provider.of(provider.creates().at(-1)!.body.documentId).cancelled).toBe(true)
  })
})

test('400: a refusal by one who has signed, also if only the provider knows it yet', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const { data } = await start(owner, agreement, tenant)
  provider.completes(data.signature_id)
  for (let time = 1; time <= 2; time++) {
    const { status, error } = await decline(tenant, agreement)
    expect([status, error.message]).toEqual([400, 'You have already signed this agreement'])
  }
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([{ status: 'signed' }])
})
