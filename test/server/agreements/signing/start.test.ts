import { expect, test } from 'bun:test'
import { getKysely } from '../../../../db/database'
import type { TestResponse } from '../../../support/users'
import { clock, testServer } from '../../../support/server'
import { enveloped, TIMESTAMP, UUID } from '../../http/forms'
import { MISSING, signingProvider, signs, signsAt, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const time = clock()
const server = testServer({ env: provider.env, overrides: { now: time.now }, poolSize: 20 })
const { createUsers, createSimpleDraft, createManagedDraft, getStatus, findRecords } = signingFixtures(server)
const HOUR = 3_600_000
const seen = ({ status, body }: TestResponse) => [status, body]

test('200: the first signing makes a draft PENDING and returns its address', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
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
  expect(await getStatus(owner, agreement)).toBe('PENDING')
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
  expect(await findRecords(agreement)).toMatchObject([
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

test('the provider gets the document, the signer, the return address and the three credentials', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft({
    document_url: 'https://example.com/wire.pdf',
  })
  await owner.call('POST', '/tenants', { phone_number: tenant.phone, first_name: 'Ravi', last_name: 'Iyer' })
  const { body } = await start(owner, agreement, tenant)
  const [{ headers, body: sent }] = provider.creates('https://example.com/wire.pdf') as any
  expect(['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(name => headers.get(name))).toEqual([
    'client',
    'hush',
    'product',
  ])
  expect(sent).toEqual({
    documentId: body.data.signature_id,
    documentUrl: 'https://example.com/wire.pdf',
    signer: { identifier: tenant.phone, displayName: 'Ravi Iyer' },
    redirectUrl: 'https://api.example.com/signed',
  })
  await signsAt(provider, server.url, body.data.signature_id)
  const read = provider.calls.findLast(({ method }) => method === 'GET')!
  expect(
    ['x-client-id', 'x-client-secret', 'x-product-instance-id'].map(name => read.headers.get(name)),
  ).toEqual(['client', 'hush', 'product'])
})

test('400: a tenant who has no account any more, before the provider is asked', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft({
    document_url: 'https://example.com/gone.pdf',
  })
  const db = getKysely(server.em())
  await db.updateTable('users').set({ is_active: false }).where('id', '=', tenant.id).execute()

  const { status, error } = await start(owner, agreement, owner)

  expect([status, error.reason]).toEqual([400, 'tenants_erased'])
  expect(provider.creates('https://example.com/gone.pdf')).toEqual([])
})

test('flexi options reach the provider in camelCase', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft({
    document_url: 'https://example.com/flexi.pdf',
  })
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

test('200: the expiry is that of the provider, if it gives one', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const until = new Date(time.now().getTime() + 5 * HOUR).toISOString()
  provider.expireAt(until)
  expect((await start(owner, agreement, tenant)).body.data.expires_at).toBe(until)
})

test('404: an agreement that the caller cannot see, before any other check', async () => {
  const { owner, tenant } = await createSimpleDraft()
  const [stranger] = await createUsers(1)
  const { agreement } = await createSimpleDraft()
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

test('403: an agreement that is ACTIVE, TERMINATED or COMPLETED, before the signer is checked', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  for (const each of [owner, tenant]) await signs(provider, server.url, owner, agreement, each)
  for (const [move, status] of [
    [undefined, 'ACTIVE'],
    ['terminate', 'TERMINATED'],
    ['complete', 'COMPLETED'],
  ] as const) {
    if (move) expect((await owner.call('POST', `/agreements/${agreement.id}/${move}`, {})).status).toBe(200)
    expect(await getStatus(owner, agreement)).toBe(status)
    for (const signer of [owner, tenant, { id: 2_000_000_000 }])
      expect(seen(await start(owner, agreement, signer))).toEqual([403, enveloped(403)])
    expect((await start(tenant, agreement, tenant)).status).toBe(403)
  }
})

test('404: an unknown or inactive signer, before the caller’s rights are checked', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  for (const caller of [owner, tenant])
    expect(seen(await start(caller, agreement, { id: 2_000_000_000 }))).toEqual([
      404,
      enveloped(404, 'Signer not found'),
    ])
  await getKysely(server.em())
    .updateTable('users')
    .set({ is_active: false })
    .where('id', '=', tenant.id)
    .execute()
  expect(seen(await start(owner, agreement, tenant))).toEqual([404, enveloped(404, 'Signer not found')])
})

test('403: a signer who is not a party, and a tenant who starts another party’s signing', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  const [stranger] = await createUsers(1)
  for (const caller of [owner, manager, tenant])
    expect(seen(await start(caller, agreement, stranger))).toEqual([403, enveloped(403)])
  for (const signer of [owner, manager, second])
    expect(seen(await start(tenant, agreement, signer))).toEqual([403, enveloped(403)])
  expect(await getStatus(owner, agreement)).toBe('DRAFT')
  expect((await start(tenant, agreement, tenant)).status).toBe(200)
})

test('400: a signer who has already signed', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  await signs(provider, server.url, owner, agreement, tenant)
  for (const caller of [owner, tenant])
    expect(seen(await start(caller, agreement, tenant))).toEqual([
      400,
      enveloped(400, 'The signer has already signed this agreement'),
    ])
  expect((await start(tenant, agreement, owner)).status).toBe(403)
})

test('200: a signature may lie at coordinates up to 100000, and no further', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const startAt = (x: number) => {
    const signature_position = { page_number: 1, x, y: 0, width: 100_000, height: 1 }
    return start(owner, agreement, tenant, { flexi_options: { signature_position } })
  }
  expect((await startAt(100_001)).status).toBe(400)
  expect((await startAt(100_000)).status).toBe(200)
})
