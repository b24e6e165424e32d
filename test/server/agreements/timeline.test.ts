import { describe, expect, test } from 'bun:test'
import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import { query, type Tables } from '../../../db/orm'
import { createDraft, signInUser, type TestUser } from '../../support/users'
import { server } from '../../support/server'
import { signingProvider, signs, signsAt, start } from './signing/provider'

const provider = signingProvider()
const it = server({ env: provider.env })
const timeline = async (person: TestUser, id: number) =>
  (await person.call('GET', `/agreements/${id}/timeline`)).body.data as { events: any[]; intact: boolean }
const types = async (person: TestUser, id: number) =>
  (await timeline(person, id)).events.map(({ type }) => type)

describe('the timeline', () => {
  test('tells who did what, from the draft to the close-out', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const path = `/agreements/${agreement.id}`
    await owner.call('PATCH', path, { rent_amount: 26000, late_fee: 500, pets_allowed: false })
    const first = await signs(provider, it.url, owner, agreement, owner)
    const {
      body: { data },
    } = await start(tenant, agreement, tenant)
    const request = provider.of(data.signature_id)
    await provider.webhook(
      it.url,
      provider.news('ESIGN_OTP_FAILED', request, { errCode: 'invaild_otp', signerStatus: 'in_progress' }),
    )
    await provider.webhook(
      it.url,
      provider.news('ESIGN_OTP_FAILED', request, {
        errCode: 'invaild_otp',
        signerStatus: 'in_progress',
        nonce: 2,
      }),
    )
    await provider.webhook(it.url, provider.news('ESIGN_FAILED', request, { errCode: 'signer_declined' }))
    const again = await signs(provider, it.url, tenant, agreement, tenant)
    await owner.call('POST', `${path}/terminate`, { reason: 'Sold' })
    await owner.call('POST', `${path}/complete`, {})

    const { events, intact } = await timeline(tenant, agreement.id)
    const ownSign = { signer_id: owner.id, signature_id: first }
    expect(intact).toBe(true)
    expect(events.map(({ type, actor_id, details }) => [type, actor_id, details])).toEqual([
      ['created', owner.id, {}],
      ['changed', owner.id, { fields: ['rent_amount', 'late_fee'] }],
      ['sent', owner.id, ownSign],
      ['signed', owner.id, ownSign],
      ['sent', tenant.id, { signer_id: tenant.id, signature_id: data.signature_id }],
      ['viewed', tenant.id, { signer_id: tenant.id, signature_id: data.signature_id }],
      [
        'declined',
        tenant.id,
        { signer_id: tenant.id, signature_id: data.signature_id, reason: 'signer_declined' },
      ],
      ['reissued', tenant.id, { signer_id: tenant.id, signature_id: again }],
      ['signed', tenant.id, { signer_id: tenant.id, signature_id: again }],
      ['activated', null, {}],
      ['terminated', owner.id, { termination_date: expect.any(String), reason: 'Sold' }],
      ['completed', owner.id, {}],
    ])
    expect(events.map(({ position }) => position)).toEqual(events.map((_, index) => index + 1))
    expect(new Set(events.map(({ hash }) => hash)).size).toBe(events.length)
    for (const { occurred_at, hash } of events)
      expect([occurred_at, hash]).toEqual([
        expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ])
    expect(JSON.stringify(events)).not.toContain(tenant.phone)
  })

  test('tells of cancelled and expired signatures, and of a change back to what was', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    await owner.call('PATCH', `/agreements/${agreement.id}`, { rent_amount: agreement.rent_amount })
    const {
      body: { data },
    } = await start(owner, agreement, tenant)
    await owner.call('POST', `/agreements/${agreement.id}/signatures/${data.signature_id}/cancel`)
    const {
      body: { data: second },
    } = await start(owner, agreement, tenant)
    await provider.webhook(it.url, provider.news('ESIGN_EXPIRED', provider.of(second.signature_id)))
    const { events, intact } = await timeline(owner, agreement.id)
    expect(events.map(({ type, actor_id }) => [type, actor_id])).toEqual([
      ['created', owner.id],
      ['changed', owner.id],
      ['sent', owner.id],
      ['cancelled', owner.id],
      ['reissued', owner.id],
      ['expired', null],
    ])
    expect([events[1].details, intact]).toEqual([{ fields: [] }, true])
  })
})

type Made = {
  owner: TestUser
  id: number
  events: () => UpdateQueryBuilder<Tables, 'agreement_events', 'agreement_events', UpdateResult>
}
describe('a timeline shows', () => {
  const made = async (): Promise<Made> => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    for (const rent_amount of [1, 2, 3])
      await owner.call('PATCH', `/agreements/${agreement.id}`, { rent_amount })
    return {
      owner,
      id: agreement.id as number,
      events: () => query(it.em()).updateTable('agreement_events').where('agreement_id', '=', agreement.id),
    }
  }
  const tampered: Record<string, (made: Made) => Promise<unknown>> = {
    'a changed time': ({ events }) =>
      events()
        .set({ occurred_at: new Date(0) })
        .where('position', '=', 2)
        .execute(),
    'a changed actor': ({ events }) => events().set({ actor_id: null }).where('position', '=', 2).execute(),
    'changed details': ({ events }) =>
      events()
        .set({ details: { fields: [] } as never })
        .where('position', '=', 3)
        .execute(),
    'a changed kind': ({ events }) => events().set({ type: 'signed' }).where('position', '=', 4).execute(),
    'a removed entry': ({ id }) =>
      query(it.em())
        .deleteFrom('agreement_events')
        .where('agreement_id', '=', id)
        .where('position', '=', 2)
        .execute(),
    'a removed end': ({ id }) =>
      query(it.em())
        .deleteFrom('agreement_events')
        .where('agreement_id', '=', id)
        .where('position', '=', 4)
        .execute(),
    'a removed beginning': async ({ id, events }) => {
      await query(it.em())
        .deleteFrom('agreement_events')
        .where('agreement_id', '=', id)
        .where('position', '=', 1)
        .execute()
      for (const position of [2, 3, 4])
        await events()
          .set({ position: position - 1 })
          .where('position', '=', position)
          .execute()
    },
    'one taken from another agreement': async ({ id }) => {
      const other = await made()
      await query(it.em())
        .deleteFrom('agreement_events')
        .where('agreement_id', '=', id)
        .where('position', '=', 2)
        .execute()
      await other.events().set({ agreement_id: id }).where('position', '=', 2).execute()
    },
  }
  for (const [name, tamper] of Object.entries(tampered)) {
    test(name, async () => {
      const it = await made()
      expect((await timeline(it.owner, it.id)).intact).toBe(true)
      await tamper(it)
      expect((await timeline(it.owner, it.id)).intact).toBe(false)
    })
  }
})

describe('signing_order', () => {
  const said = ({ status, body }: { status: number; body: any }) => [
    status,
    status === 200 ? body.data.status : body.error.message,
  ]

  test('asks a party only after those before have signed; who is not named signs at any time', async () => {
    const owner = await signInUser(it.url)
    const [first, second, free] = [
      await signInUser(it.url),
      await signInUser(it.url),
      await signInUser(it.url),
    ]
    const { agreement } = await createDraft(owner, [second, first, free])
    expect(
      (
        await owner.call('PATCH', `/agreements/${agreement.id}`, {
          signing_order: [first.id, second.id, owner.id],
        })
      ).body.data.signing_order,
    ).toEqual([first.id, second.id, owner.id])
    expect(said(await start(owner, agreement, second))).toEqual([
      400,
      `It is not this signer's turn: by signing_order ${first.id} signs before`,
    ])
    expect(said(await start(owner, agreement, owner))[0]).toBe(400)
    expect(said(await start(owner, agreement, free))).toEqual([200, 'pending'])
    await signs(provider, it.url, owner, agreement, first)
    expect(said(await start(owner, agreement, owner))[0]).toBe(400)
    await signs(provider, it.url, owner, agreement, second)
    await signs(provider, it.url, owner, agreement, owner)
    await signs(provider, it.url, owner, agreement, free)
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('ACTIVE')
  })

  test.each([
    ['strangers', (owner: TestUser) => [owner.id, 2_147_483_647]],
    ['the same party twice', (owner: TestUser) => [owner.id, owner.id]],
    ['nobody', () => []],
    ['no numbers', () => ['1']],
  ])('400: it names %s', async (_, order) => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const { status, body } = await owner.call('PATCH', `/agreements/${agreement.id}`, {
      signing_order: order(owner),
    })
    expect([status, body.error.details[0].property]).toEqual([400, expect.stringMatching(/^signing_order/)])
  })

  test('400: a tenant who is in it cannot be taken out of the agreement alone', async () => {
    const owner = await signInUser(it.url)
    const [tenant, other] = [await signInUser(it.url), await signInUser(it.url)]
    const { agreement } = await createDraft(owner, [tenant], { signing_order: [tenant.id] })
    expect(
      (await owner.call('PATCH', `/agreements/${agreement.id}`, { tenant_ids: [other.id] })).status,
    ).toBe(400)
    expect(
      (
        await owner.call('PATCH', `/agreements/${agreement.id}`, {
          tenant_ids: [other.id],
          signing_order: null,
        })
      ).body.data,
    ).toMatchObject({ tenant_ids: [other.id], signing_order: null })
  })
})

describe('revising', () => {
  test('201: withdraws the agreement, cancels what is open and draws up a linked draft with the changes', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant], {
      additional_policies: 'No drilling',
      signing_order: [owner.id],
    })
    await signs(provider, it.url, owner, agreement, owner)
    const {
      body: { data: open },
    } = await start(owner, agreement, tenant)
    const {
      status,
      body: { data: next },
    } = await owner.call('POST', `/agreements/${agreement.id}/revise`, { rent_amount: 27000 })
    const own = ['id', 'agreement_id', 'agreement_number', 'created_at', 'updated_at']
    const terms = Object.fromEntries(Object.entries(agreement).filter(([name]) => !own.includes(name)))
    expect([status, next]).toEqual([
      201,
      expect.objectContaining({
        ...terms,
        status: 'DRAFT',
        rent_amount: 27000,
        revises_agreement_id: agreement.agreement_id,
      }),
    ])
    expect(next.agreement_number).not.toBe(agreement.agreement_number)
    expect((await tenant.call('GET', `/agreements/${agreement.id}`)).body.data).toMatchObject({
      status: 'TERMINATED',
      rent_amount: agreement.rent_amount,
    })
    expect(provider.of(open.signature_id).cancelled).toBe(true)
    expect(await types(owner, agreement.id)).toEqual(['created', 'sent', 'signed', 'sent', 'revised'])
    const { events } = await timeline(owner, next.id)
    expect(events.map(({ type, details }) => [type, details])).toEqual([
      [
        'created',
        { revises_agreement_id: agreement.agreement_id, fields: ['agreement_number', 'rent_amount'] },
      ],
    ])
    for (const person of [owner, tenant]) await signs(provider, it.url, owner, next, person)
    expect((await owner.call('GET', `/agreements/${next.id}`)).body.data.status).toBe('ACTIVE')
  })

  test('a signature that was given to the withdrawn one after all changes nothing', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    await signs(provider, it.url, owner, agreement, owner)
    const {
      body: { data: open },
    } = await start(owner, agreement, tenant)
    await owner.call('POST', `/agreements/${agreement.id}/revise`, {})
    provider.becomes(open.signature_id, { cancelled: false })
    await signsAt(provider, it.url, open.signature_id)
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('TERMINATED')
  })

  test('400: a change that is not valid leaves the agreement as it is', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const {
      body: { data: open },
    } = await start(owner, agreement, tenant)
    for (const change of [{ rent_amount: 0 }, { tenant_ids: [owner.id] }, { signing_order: [2_147_483_647] }])
      expect((await owner.call('POST', `/agreements/${agreement.id}/revise`, change)).status).toBe(400)
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data.status).toBe('PENDING')
    expect(provider.of(open.signature_id).cancelled).toBe(false)
  })

  test('403 unless it is PENDING', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    const revised = () =>
      owner.call('POST', `/agreements/${agreement.id}/revise`, {}).then(({ status }) => status)
    expect(await revised()).toBe(403)
    for (const person of [owner, tenant]) await signs(provider, it.url, owner, agreement, person)
    expect(await revised()).toBe(403)
    await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
    expect(await revised()).toBe(403)
  })

  test('once, however many ask at the same time', async () => {
    const owner = await signInUser(it.url)
    const tenant = await signInUser(it.url)
    const { agreement } = await createDraft(owner, [tenant])
    await start(owner, agreement, tenant)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => owner.call('POST', `/agreements/${agreement.id}/revise`, {})),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(403)])
  })
})
