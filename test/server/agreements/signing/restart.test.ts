import { expect, test } from 'bun:test'
import type { TestResponse } from '../../../support/users'
import { clock, testServer } from '../../../support/server'
import { enveloped, TIMESTAMP } from '../../http/forms'
import { signingProvider, signs, signsAt, start } from './provider'
import { signingFixtures } from './signing-fixtures'

const provider = signingProvider()
const time = clock()
const server = testServer({ env: provider.env, overrides: { now: time.now }, poolSize: 20 })
const { createSimpleDraft, createManagedDraft, getSignatures, getStatus, findRecords } =
  signingFixtures(server)
const HOUR = 3_600_000
const seen = ({ status, body }: TestResponse) => [status, body]

test('200: an open signature is returned again', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft({
    document_url: 'https://example.com/again.pdf',
  })
  const first = await start(owner, agreement, tenant)
  for (const caller of [tenant, owner])
    expect(seen(await start(caller, agreement, tenant))).toEqual(seen(first))
  expect(provider.creates('https://example.com/again.pdf')).toHaveLength(1)
})

for (const outcome of ['declined', 'expired'] as const) {
  test(`200: a signature that was ${outcome} is replaced by a new one; the others' signatures stay`, async () => {
    const { owner, tenant, agreement } = await createSimpleDraft()
    const kept = await signs(provider, server.url, owner, agreement, owner)
    const {
      body: { data: first },
    } = await start(owner, agreement, tenant)
    const ended = provider.ends(first.signature_id, outcome)
    const news =
      outcome === 'declined'
        ? provider.news('ESIGN_FAILED', ended, { errCode: 'signer_declined' })
        : provider.news('ESIGN_EXPIRED', ended)
    expect((await provider.webhook(server.url, news)).status).toBe(200)
    expect(await getSignatures(owner, agreement)).toMatchObject({
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
    expect(await getStatus(owner, agreement)).toBe('PENDING')
    const {
      body: { data: second },
    } = await start(tenant, agreement, tenant)
    expect(second.signature_id).not.toBe(first.signature_id)
    expect((await getSignatures(owner, agreement)).signatures).toMatchObject([
      { signature_id: kept, status: 'signed' },
      { signature_id: second.signature_id, status: 'pending' },
    ])
    await signsAt(provider, server.url, second.signature_id)
    expect(await getSignatures(owner, agreement)).toMatchObject({
      allSigned: true,
      signatures: [{ status: 'signed' }, { status: 'signed' }],
    })
    expect(await getStatus(owner, agreement)).toBe('ACTIVE')
  })
}

test('200: a signature expires after 72 hours, is read once more, and is replaced by a new one', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const {
    body: { data: first },
  } = await start(owner, agreement, tenant)
  time.advance(72 * HOUR - 1)
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([{ status: 'pending' }])
  expect((await start(owner, agreement, tenant)).body.data.signature_id).toBe(first.signature_id)
  time.advance(1)
  expect((await getSignatures(owner, agreement)).signatures).toMatchObject([{ status: 'expired' }])
  const {
    body: { data: second },
  } = await start(owner, agreement, tenant)
  expect(second.signature_id).not.toBe(first.signature_id)
  expect(provider.of(first.signature_id).cancelled).toBe(true)
  expect((await findRecords(agreement)).map(({ status }) => status)).toEqual(['EXPIRED', 'PENDING'])
})

test('400: an overdue signature that was signed in time counts', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
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

test('200: an overdue signature that the provider does not know is replaced', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  const {
    body: { data: first },
  } = await start(owner, agreement, tenant)
  provider.kept.delete(provider.of(first.signature_id).id)
  time.advance(73 * HOUR)
  const again = await start(owner, agreement, tenant)
  expect([again.status, again.body.data?.signature_id === first.signature_id]).toEqual([200, false])
})

test('an older request that is signed counts, and the newer one is cancelled', async () => {
  const { owner, tenant, agreement } = await createSimpleDraft()
  await signs(provider, server.url, owner, agreement, owner)
  const {
    body: { data: old },
  } = await start(owner, agreement, tenant)
  await provider.webhook(
    server.url,
    provider.news('ESIGN_EXPIRED', provider.ends(old.signature_id, 'expired')),
  )
  const {
    body: { data: newer },
  } = await start(owner, agreement, tenant)
  await signsAt(provider, server.url, old.signature_id)
  expect(provider.of(newer.signature_id).cancelled).toBe(true)
  expect(await getStatus(owner, agreement)).toBe('ACTIVE')
  expect(await getSignatures(owner, agreement)).toMatchObject({
    allSigned: true,
    signatures: [{ status: 'signed' }, { signature_id: old.signature_id, status: 'signed' }],
  })
})

test('concurrent starts for one signer share one response and one provider request', async () => {
  const document_url = 'https://example.com/shared.pdf'
  const { owner, tenant, agreement } = await createSimpleDraft({ document_url })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => start(index % 2 ? owner : tenant, agreement, tenant)),
  )
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1)
  expect(answers[0]!.status).toBe(200)
  expect(provider.creates(document_url)).toHaveLength(1)
})

test('concurrent starts of all parties make one request each', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  const parties = [owner, manager, tenant, second]
  const before = provider.creates().length
  const answers = await Promise.all(
    parties.flatMap(signer => [start(owner, agreement, signer), start(manager, agreement, signer)]),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  expect(new Set(answers.map(({ body }) => body.data.signature_id)).size).toBe(4)
  expect(provider.creates().length - before).toBe(4)
})
