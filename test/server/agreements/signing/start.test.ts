import { describe, expect, test } from 'bun:test'
import { query } from '../../../../db/orm'
import {
  createDraft,
  createUnit,
  signInUser,
  agreementTerms,
  type TestResponse,
  type TestUser,
} from '../../../support/users'
import { clock, server } from '../../../support/server'
import { enveloped, TIMESTAMP, UUID } from '../../http/forms'
import { MISSING, signingProvider, signs, signsAt, start } from './provider'

const provider = signingProvider()
const time = clock()
const it = server({ env: provider.env, overrides: { now: time.now }, poolSize: 20 })
const HOUR = 3_600_000
const seen = ({ status, body }: TestResponse) => [status, body]
/** One after the other, so that the lists of signatures, which are in the order of the signers, are in this order. */
const people = (count: number) =>
  Array.from({ length: count }).reduce<Promise<TestUser[]>>(
    async before => [...(await before), await signInUser(it.url)],
    Promise.resolve([]),
  )
const signatures = async (reader: TestUser, { id }: { id: number }) =>
  (await reader.call('GET', `/agreements/${id}/signatures`)).body.data
const statusOf = async (reader: TestUser, { id }: { id: number }) =>
  (await reader.call('GET', `/agreements/${id}`)).body.data.status
const records = ({ id }: { id: number }) =>
  query(it.em())
    .selectFrom('agreement_signatures')
    .where('agreement_id', '=', id)
    .orderBy('id')
    .selectAll()
    .execute()
/** Landlord, manager and two tenants. */
async function managed() {
  const [owner, manager, tenant, second] = (await people(4)) as [TestUser, TestUser, TestUser, TestUser]
  const { unit, property } = await createUnit(owner, { managed_by_id: manager.id })
  const { body } = await owner.call('POST', '/agreements', agreementTerms(unit.id, [tenant.id, second.id]))
  return { owner, manager, tenant, second, unit, property, agreement: body.data }
}
async function simple(more: Record<string, unknown> = {}) {
  const [owner, tenant] = (await people(2)) as [TestUser, TestUser]
  return { owner, tenant, ...(await createDraft(owner, [tenant], more)) }
}

describe('the first signing', () => {
  test('200: answers message and data, and makes the draft PENDING', async () => {
    const { owner, tenant, agreement } = await simple()
    const answer = await start(owner, agreement, tenant)
    expect(seen(answer)).toEqual([
      200,
      {
        success: true,
        message: expect.any(String),
        data: {
          signature_id: UUID,
          signing_url: expect.stringMatching(/^https:\/\/sign\.example\.com\//),
          expires_at: TIMESTAMP,
          status: 'pending',
        },
      },
    ])
    expect(Date.parse(answer.body.data.expires_at)).toBe(time.now().getTime() + 72 * HOUR)
    expect(await statusOf(owner, agreement)).toBe('PENDING')
    expect(seen(await owner.call('GET', `/agreements/${agreement.agreement_id}/signatures`))).toEqual([
      200,
      {
        success: true,
        message: expect.any(String),
        data: {
          allSigned: false,
          signatures: [
            {
              id: expect.any(Number),
              signature_id: answer.body.data.signature_id,
              signer_id: tenant.id,
              signer_role: 'tenant',
              status: 'pending',
              expires_at: TIMESTAMP,
              decline_reason: null,
            },
          ],
        },
      },
    ])
    const { id, ...rest } = provider.of(answer.body.data.signature_id)
    expect(await records(agreement)).toMatchObject([
      {
        provider: 'setu',
        provider_request_id: id,
        provider_signature_id: `signer-${id}`,
        status: 'PENDING',
        signer_role: 'TENANT',
      },
    ])
    expect(rest.documentId).toBe(answer.body.data.signature_id)
  })

  test('the provider is sent the document, the signer and where to come back to, with the three credentials', async () => {
    const { owner, tenant, agreement } = await simple({ document_url: 'https://example.com/wire.pdf' })
    await tenant.call('PUT', '/profile/complete', {
      first_name: 'Ravi',
      last_name: 'Iyer',
      email: 'ravi@example.com',
    })
    const { body } = await start(owner, agreement, tenant)
    const [{ headers, body: sent }] = provider.creates('https://example.com/wire.pdf') as any
    expect(
      ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(name => headers.get(name)),
    ).toEqual(['client', 'hush', 'product'])
    expect(sent).toEqual({
      documentId: body.data.signature_id,
      documentUrl: 'https://example.com/wire.pdf',
      signer: { identifier: tenant.phone, displayName: 'Ravi Iyer' },
      redirectUrl: 'https://api.example.com/signed',
    })
    await signsAt(provider, it.url, body.data.signature_id)
    const read = provider.calls.findLast(({ method }) => method === 'GET')!
    expect(
      ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(name => read.headers.get(name)),
    ).toEqual(['client', 'hush', 'product'])
  })

  test('flexi options are passed on in camelCase', async () => {
    const { owner, tenant, agreement } = await simple({ document_url: 'https://example.com/flexi.pdf' })
    const position = { page_number: 2, x: 10.5, y: 20, width: 100, height: 40 }
    expect(
      (
        await start(owner, agreement, tenant, {
          flexi_options: {
            template_id: 't-1',
            signature_position: position,
            template_variables: { rent_amount: '25000', 'Name of tenant': 'Ravi' },
          },
        })
      ).status,
    ).toBe(200)
    expect(provider.creates('https://example.com/flexi.pdf')[0]!.body.flexiOptions).toEqual({
      templateId: 't-1',
      signaturePosition: { pageNumber: 2, x: 10.5, y: 20, width: 100, height: 40 },
      templateVariables: { rent_amount: '25000', 'Name of tenant': 'Ravi' },
    })
    expect((await start(owner, agreement, owner, { flexi_options: { template_id: 't-2' } })).status).toBe(200)
    expect(provider.creates('https://example.com/flexi.pdf')[1]!.body.flexiOptions).toEqual({
      templateId: 't-2',
    })
  })

  test("the provider's own expiry is kept", async () => {
    const { owner, tenant, agreement } = await simple()
    const until = new Date(time.now().getTime() + 5 * HOUR).toISOString()
    provider.expireAt(until)
    expect((await start(owner, agreement, tenant)).body.data.expires_at).toBe(until)
  })
})

describe('the checks of a signing stand in this order', () => {
  test('404 agreement, before all else', async () => {
    const { owner, tenant } = await simple()
    const [stranger] = (await people(1)) as [TestUser]
    const { agreement } = await simple()
    for (const id of [
      '0',
      '-1',
      'x',
      '999999999',
      MISSING,
      '99999999999',
      String(agreement.id),
      agreement.agreement_id,
    ])
      expect(seen(await owner.call('POST', `/agreements/${id}/sign`, { signer_id: tenant.id }))).toEqual([
        404,
        enveloped(404, 'Agreement not found'),
      ])
    expect((await start(stranger, agreement, { id: 2_000_000_000 })).status).toBe(404)
  })

  test('403 status, before the signer is looked at', async () => {
    const { owner, tenant, agreement } = await simple()
    for (const each of [owner, tenant]) await signs(provider, it.url, owner, agreement, each)
    for (const [move, status] of [
      [undefined, 'ACTIVE'],
      ['terminate', 'TERMINATED'],
      ['complete', 'COMPLETED'],
    ] as const) {
      if (move) expect((await owner.call('POST', `/agreements/${agreement.id}/${move}`, {})).status).toBe(200)
      expect(await statusOf(owner, agreement)).toBe(status)
      for (const signer of [owner, tenant, { id: 2_000_000_000 }])
        expect(seen(await start(owner, agreement, signer))).toEqual([403, enveloped(403)])
      expect((await start(tenant, agreement, tenant)).status).toBe(403)
    }
  })

  test('404 signer, before what the caller may do', async () => {
    const { owner, tenant, agreement } = await simple()
    for (const caller of [owner, tenant])
      expect(seen(await start(caller, agreement, { id: 2_000_000_000 }))).toEqual([
        404,
        enveloped(404, 'Signer not found'),
      ])
    await query(it.em()).updateTable('users').set({ is_active: false }).where('id', '=', tenant.id).execute()
    expect(seen(await start(owner, agreement, tenant))).toEqual([404, enveloped(404, 'Signer not found')])
  })

  test('403 for a signer who is no party, and for a tenant who starts somebody else’s', async () => {
    const { owner, manager, tenant, second, agreement } = await managed()
    const [stranger] = (await people(1)) as [TestUser]
    for (const caller of [owner, manager, tenant])
      expect(seen(await start(caller, agreement, stranger))).toEqual([403, enveloped(403)])
    for (const signer of [owner, manager, second])
      expect(seen(await start(tenant, agreement, signer))).toEqual([403, enveloped(403)])
    expect(await statusOf(owner, agreement)).toBe('DRAFT')
    expect((await start(tenant, agreement, tenant)).status).toBe(200)
  })

  test('400 for who has signed already', async () => {
    const { owner, tenant, agreement } = await simple()
    await signs(provider, it.url, owner, agreement, tenant)
    for (const caller of [owner, tenant])
      expect(seen(await start(caller, agreement, tenant))).toEqual([
        400,
        enveloped(400, 'The signer has already signed this agreement'),
      ])
    expect((await start(tenant, agreement, owner)).status).toBe(403)
  })
})

describe('one signature at a time', () => {
  test('an open one is returned again', async () => {
    const { owner, tenant, agreement } = await simple({ document_url: 'https://example.com/again.pdf' })
    const first = await start(owner, agreement, tenant)
    for (const caller of [tenant, owner])
      expect(seen(await start(caller, agreement, tenant))).toEqual(seen(first))
    expect(provider.creates('https://example.com/again.pdf')).toHaveLength(1)
  })

  for (const outcome of ['declined', 'expired'] as const) {
    test(`after one that was ${outcome} the same call makes a new one, and others' signatures stay`, async () => {
      const { owner, tenant, agreement } = await simple()
      const kept = await signs(provider, it.url, owner, agreement, owner)
      const {
        body: { data: first },
      } = await start(owner, agreement, tenant)
      const news =
        outcome === 'declined'
          ? provider.news('ESIGN_FAILED', provider.of(first.signature_id), { errCode: 'signer_declined' })
          : provider.news('ESIGN_EXPIRED', provider.of(first.signature_id))
      expect((await provider.webhook(it.url, news)).status).toBe(200)
      expect(await signatures(owner, agreement)).toMatchObject({
        allSigned: false,
        signatures: [
          { signature_id: kept, status: 'signed', signed_at: TIMESTAMP },
          {
            signature_id: first.signature_id,
            status: outcome,
            decline_reason: outcome === 'declined' ? 'signer_declined' : null,
          },
        ],
      })
      expect(await statusOf(owner, agreement)).toBe('PENDING')
      const {
        body: { data: second },
      } = await start(tenant, agreement, tenant)
      expect(second.signature_id).not.toBe(first.signature_id)
      expect((await signatures(owner, agreement)).signatures).toMatchObject([
        { signature_id: kept, status: 'signed' },
        { signature_id: second.signature_id, status: 'pending' },
      ])
      await signsAt(provider, it.url, second.signature_id)
      expect(await signatures(owner, agreement)).toMatchObject({
        allSigned: true,
        signatures: [{ status: 'signed' }, { status: 'signed' }],
      })
      expect(await statusOf(owner, agreement)).toBe('ACTIVE')
    })
  }

  test('one past its 72 hours counts as expired, is asked for once more, and gives way to a new one', async () => {
    const { owner, tenant, agreement } = await simple()
    const {
      body: { data: first },
    } = await start(owner, agreement, tenant)
    time.advance(72 * HOUR - 1)
    expect((await signatures(owner, agreement)).signatures).toMatchObject([{ status: 'pending' }])
    expect((await start(owner, agreement, tenant)).body.data.signature_id).toBe(first.signature_id)
    time.advance(1)
    expect((await signatures(owner, agreement)).signatures).toMatchObject([{ status: 'expired' }])
    const {
      body: { data: second },
    } = await start(owner, agreement, tenant)
    expect(second.signature_id).not.toBe(first.signature_id)
    expect(provider.of(first.signature_id).cancelled).toBe(true)
    expect((await records(agreement)).map(({ status }) => status)).toEqual(['EXPIRED', 'PENDING'])
  })

  test('one that was signed in the last moment of its time counts', async () => {
    const { owner, tenant, agreement } = await simple()
    const {
      body: { data: first },
    } = await start(owner, agreement, tenant)
    provider.becomes(first.signature_id, { status: 'sign_complete', signerStatus: 'signed' })
    time.advance(73 * HOUR)
    expect(seen(await start(owner, agreement, tenant))).toEqual([
      400,
      enveloped(400, 'The signer has already signed this agreement'),
    ])
  })

  test('one past its time that the provider has forgotten gives way too', async () => {
    const { owner, tenant, agreement } = await simple()
    const {
      body: { data: first },
    } = await start(owner, agreement, tenant)
    provider.kept.delete(provider.of(first.signature_id).id)
    time.advance(73 * HOUR)
    const again = await start(owner, agreement, tenant)
    expect([again.status, again.body.data?.signature_id === first.signature_id]).toEqual([200, false])
  })

  test('one that was signed after all, when a newer one was open, is the one that counts', async () => {
    const { owner, tenant, agreement } = await simple()
    await signs(provider, it.url, owner, agreement, owner)
    const {
      body: { data: old },
    } = await start(owner, agreement, tenant)
    await provider.webhook(it.url, provider.news('ESIGN_EXPIRED', provider.of(old.signature_id)))
    const {
      body: { data: newer },
    } = await start(owner, agreement, tenant)
    await signsAt(provider, it.url, old.signature_id)
    expect(provider.of(newer.signature_id).cancelled).toBe(true)
    expect(await statusOf(owner, agreement)).toBe('ACTIVE')
    expect(await signatures(owner, agreement)).toMatchObject({
      allSigned: true,
      signatures: [{ status: 'signed' }, { signature_id: old.signature_id, status: 'signed' }],
    })
  })

  test('concurrent starts for one signer share one answer and one provider request', async () => {
    const document_url = 'https://example.com/shared.pdf'
    const { owner, tenant, agreement } = await simple({ document_url })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => start(index % 2 ? owner : tenant, agreement, tenant)),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
    expect(provider.creates(document_url)).toHaveLength(1)
  })

  test('concurrent starts of all parties make one request each', async () => {
    const { owner, manager, tenant, second, agreement } = await managed()
    const parties = [owner, manager, tenant, second]
    const before = provider.creates().length
    const answers = await Promise.all(
      parties.flatMap(signer => [start(owner, agreement, signer), start(manager, agreement, signer)]),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(({ body }) => body.data.signature_id)).size).toBe(4)
    expect(provider.creates().length - before).toBe(4)
  })
})

describe('who must sign', () => {
  test('every tenant and one of the landlord’s side, in any order, and nobody twice', async () => {
    const orders: ('owner' | 'manager' | 'tenant' | 'second')[][] = [
      ['owner', 'tenant', 'second'],
      ['tenant', 'second', 'owner'],
      ['manager', 'second', 'tenant'],
      ['second', 'manager', 'tenant'],
      ['tenant', 'second', 'manager'],
      ['owner', 'manager', 'tenant', 'second'],
    ]
    await Promise.all(
      orders.map(async order => {
        const parties = await managed()
        const { owner, agreement } = parties
        for (const [index, name] of order.entries()) {
          expect(await signatures(owner, agreement)).toMatchObject({ allSigned: false })
          await signs(provider, it.url, owner, agreement, parties[name])
          const last = index === order.length - 1
          expect([order, index, await statusOf(owner, agreement)]).toEqual([
            order,
            index,
            last ? 'ACTIVE' : 'PENDING',
          ])
        }
        expect((await signatures(owner, agreement)).allSigned).toBe(true)
      }),
    )
  })

  test('it is not enough that all who were asked have signed', async () => {
    const { owner, tenant, second, agreement } = await managed()
    for (const each of [tenant, second]) await signs(provider, it.url, owner, agreement, each)
    expect(await signatures(owner, agreement)).toMatchObject({
      allSigned: false,
      signatures: [{ status: 'signed' }, { status: 'signed' }],
    })
    expect(await statusOf(owner, agreement)).toBe('PENDING')
  })

  test('the spare signature of the landlord’s side is cancelled at the provider and EXPIRED', async () => {
    const { owner, manager, tenant, second, agreement } = await managed()
    const {
      body: { data: spare },
    } = await start(owner, agreement, owner)
    for (const each of [manager, tenant, second]) await signs(provider, it.url, owner, agreement, each)
    expect(await signatures(tenant, agreement)).toMatchObject({
      allSigned: true,
      signatures: [
        { signer_role: 'landlord', status: 'expired' },
        { signer_role: 'manager', status: 'signed' },
        { signer_role: 'tenant' },
        { signer_role: 'tenant' },
      ],
    })
    expect(provider.of(spare.signature_id).cancelled).toBe(true)
    expect((await owner.call('GET', `/agreements/${agreement.id}`)).body.data).toMatchObject({
      status: 'ACTIVE',
      signed_date: new Date(time.now().getTime() + 5.5 * HOUR).toISOString().slice(0, 10),
    })
  })

  test('the parties are fixed at the first signing', async () => {
    const { owner, manager, tenant, second, unit, property, agreement } = await managed()
    const [later] = (await people(1)) as [TestUser]
    await start(owner, agreement, tenant)
    await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: later.id })
    expect((await start(owner, agreement, later)).status).toBe(403)
    expect((await start(manager, agreement, manager)).status).toBe(404)
    for (const each of [manager, tenant, second]) await signs(provider, it.url, later, agreement, each)
    expect(await statusOf(owner, agreement)).toBe('ACTIVE')
  })

  test('until then whoever manages the unit is a party', async () => {
    const { owner, manager, unit, property, agreement } = await managed()
    const [later] = (await people(1)) as [TestUser]
    await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: later.id })
    expect((await start(owner, agreement, manager)).status).toBe(403)
    expect((await start(owner, agreement, later)).status).toBe(200)
  })

  test('a tenant who was made manager meanwhile does not sign for both sides', async () => {
    const { owner, tenant, second, unit, property, agreement } = await managed()
    await owner.call('PATCH', `/properties/${property.id}/units/${unit.id}`, { managed_by_id: tenant.id })
    for (const each of [tenant, second]) await signs(provider, it.url, owner, agreement, each)
    expect(await statusOf(owner, agreement)).toBe('PENDING')
    expect(
      (await signatures(owner, agreement)).signatures.map(
        ({ signer_role }: { signer_role: string }) => signer_role,
      ),
    ).toEqual(['tenant', 'tenant'])
    await signs(provider, it.url, owner, agreement, owner)
    expect(await statusOf(owner, agreement)).toBe('ACTIVE')
  })
})

describe('two agreements of one unit', () => {
  const dates = [
    ['2026-12-01', 11, '2026-12-01', 11, true],
    ['2026-12-01', 11, '2027-10-31', 1, true],
    ['2026-12-01', 11, '2027-11-01', 11, false],
    ['2026-12-01', 11, '2026-01-01', 11, false],
    ['2026-12-01', 11, '2026-01-02', 11, true],
    ['2026-12-01', 1, '2026-01-01', 600, true],
  ] as const
  for (const [from, months, again, moreMonths, overlap] of dates) {
    test(`${from} for ${months} and ${again} for ${moreMonths} months: ${overlap ? '400' : '200'} at the second's signing`, async () => {
      const { owner, tenant, unit, agreement } = await simple({
        agreement_start_date: from,
        tenure_in_months: months,
      })
      const {
        body: { data: other },
      } = await owner.call(
        'POST',
        '/agreements',
        agreementTerms(unit.id, [tenant.id], { agreement_start_date: again, tenure_in_months: moreMonths }),
      )
      expect((await start(owner, agreement, tenant)).status).toBe(200)
      const second = await start(owner, other, tenant)
      expect(overlap ? seen(second) : second.status).toEqual(overlap ? [400, enveloped(400)] : 200)
      expect(await statusOf(owner, other)).toBe(overlap ? 'DRAFT' : 'PENDING')
      await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})
      expect((await start(owner, other, tenant)).status).toBe(200)
    })
  }
})

describe('terminating what is being signed', () => {
  test('cancels the open requests and leaves the signed ones', async () => {
    const { owner, tenant, second, agreement } = await managed()
    const signed = await signs(provider, it.url, owner, agreement, tenant)
    const {
      body: { data: open },
    } = await start(owner, agreement, second)
    expect(
      (await owner.call('POST', `/agreements/${agreement.id}/terminate`, { reason: 'A better tenant' })).body
        .data,
    ).toMatchObject({ status: 'TERMINATED', termination_reason: 'A better tenant' })
    expect([provider.of(signed).cancelled, provider.of(open.signature_id).cancelled]).toEqual([false, true])
    expect((await signatures(owner, agreement)).signatures).toMatchObject([
      { status: 'signed' },
      { status: 'expired' },
    ])
  })

  test('holds when the provider cannot be reached', async () => {
    const { owner, tenant, agreement } = await simple()
    await start(owner, agreement, tenant)
    provider.replies.cancel = () => new Response(null, { status: 500 })
    expect((await owner.call('POST', `/agreements/${agreement.id}/terminate`, {})).status).toBe(200)
    expect(await statusOf(owner, agreement)).toBe('TERMINATED')
  })
})
