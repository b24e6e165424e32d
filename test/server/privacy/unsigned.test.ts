import { expect, test } from 'bun:test'
import { createDraft, createUnit, agreementTerms, type TestUser } from '../../support/users'
import { signsAt, signs, start } from '../leases/signing/provider'
import { erasureServer, PASSWORD } from './erasure-fixture'

// What someone has not signed never stands against their erasure.

const context = erasureServer()
const { server, esign, signIn, erase, requestOtp } = context

async function createPeople() {
  const [landlord, person, other] = [await signIn(), await signIn(), await signIn()]
  return { landlord, person, other }
}

const draw = async (landlord: TestUser, tenant: TestUser) => (await createDraft(landlord, [tenant])).agreement

async function getAgreement(reader: TestUser, { id }: { id: number }) {
  const { data: agreement } = await reader.get(`/agreements/${id}`)
  const { data: timeline } = await reader.get(`/agreements/${id}/timeline`)
  const { data: signatures } = await reader.get(`/agreements/${id}/signatures`)
  const types: string[] = timeline.entries.map(({ type }: { type: string }) => type)
  return { status: agreement.status, intact: timeline.intact, types, signatures: signatures.signatures }
}

test('200: a tenant whom strangers asked to sign: the requests are declined and cancelled, and the landlord revises', async () => {
  const { landlord, person, other } = await createPeople()
  const asked = await draw(landlord, person)
  const named = await draw(landlord, person)
  const draft = await draw(landlord, person)
  const { data: request } = await start(landlord, asked, person)
  for (const agreement of [asked, named]) await signs(esign, server.url, landlord, agreement, landlord)

  expect((await erase(person)).status).toBe(200)

  expect(esign.of(request.signature_id).cancelled).toBe(true)
  for (const agreement of [asked, named]) {
    const { status, intact, types, signatures } = await getAgreement(landlord, agreement)
    expect([status, intact, types.filter(type => type === 'declined')]).toEqual([
      'PENDING',
      true,
      ['declined'],
    ])
    expect(signatures).toMatchObject([{ status: 'signed' }, { signer_id: person.id, status: 'declined' }])
    const revised = await landlord.post(`/agreements/${agreement.id}/revise`, { tenant_ids: [other.id] })
    expect([revised.status, revised.data.tenant_ids]).toEqual([201, [other.id]])
  }
  expect(await getAgreement(landlord, draft)).toMatchObject({ status: 'DRAFT', types: ['created'] })
})

test('200: a manager who was asked to sign', async () => {
  const { landlord, person, other } = await createPeople()
  const { unit } = await createUnit(landlord, { managed_by_id: person.id })
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, [other.id]))
  const { data: request } = await start(landlord, agreement, person)

  expect((await erase(person)).status).toBe(200)

  expect(esign.of(request.signature_id).cancelled).toBe(true)
  expect((await getAgreement(landlord, agreement)).types.at(-1)).toBe('declined')
  for (const signer of [landlord, other]) await signs(esign, server.url, landlord, agreement, signer)
  expect((await getAgreement(landlord, agreement)).status).toBe('ACTIVE')
})

test('200: a landlord who has not signed: the open request is cancelled, and the agreement leaves the list and feed of its tenant', async () => {
  const { landlord, person } = await createPeople()
  const agreement = await draw(landlord, person)
  const { data: request } = await start(landlord, agreement, person)
  const signed = await draw(landlord, person)
  await signs(esign, server.url, person, signed, person)
  expect(await listAgreementsInFeed(person)).toEqual(new Set([agreement.id, signed.id]))

  expect((await erase(landlord)).status).toBe(200)

  expect(esign.of(request.signature_id).cancelled).toBe(true)
  const { data: list } = await person.get('/agreements')
  const states = list.map(({ id, status }: { id: number; status: string }) => [id, status])
  expect(states).toEqual([[signed.id, 'TERMINATED']])
  expect((await person.get(`/agreements/${agreement.id}`)).status).toBe(404)
  expect(await listAgreementsInFeed(person)).toEqual(new Set([signed.id]))
})

async function listAgreementsInFeed({ id }: TestUser) {
  const activities = await server.db
    .selectFrom('activities')
    .where('user_id', '=', id)
    .where('entity_type', '=', 'agreement')
    .select('entity_id')
    .execute()
  return new Set(activities.map(({ entity_id }) => entity_id))
}

test('400: someone who has signed at the provider, which our records do not know yet', async () => {
  const { landlord, person } = await createPeople()
  const agreement = await draw(landlord, person)
  const { data: request } = await start(landlord, agreement, person)
  esign.completes(request.signature_id)

  const refused = await erase(person)

  expect([refused.status, refused.error.details]).toEqual([
    400,
    [expect.objectContaining({ agreement_id: agreement.agreement_id, status: 'PENDING' })],
  ])
  expect((await getAgreement(landlord, agreement)).signatures).toMatchObject([{ status: 'signed' }])
})

test('400: without a one-time password; 401: with a wrong one, which declines and erases nothing', async () => {
  const { landlord, person } = await createPeople()
  const asked = await draw(landlord, person)
  await start(landlord, asked, person)
  for (const body of [undefined, { password: PASSWORD }])
    expect((await person.call('DELETE', '/auth/me', body)).status).toBe(400)
  const otp = await requestOtp(person.phone)

  const wrong = await person.call('DELETE', '/auth/me', { otp: otp === '000000' ? '000001' : '000000' })

  expect([wrong.status, wrong.error.code, wrong.error.reason]).toEqual([401, 'UNAUTHORIZED', 'wrong_otp'])
  expect((await getAgreement(landlord, asked)).signatures).toMatchObject([{ status: 'pending' }])
  expect((await person.get('/auth/me')).status).toBe(200)
})

test('400: a binding agreement is named, nothing is declined, and the one-time password stays valid', async () => {
  const { landlord, person } = await createPeople()
  const asked = await draw(landlord, person)
  const signed = await draw(landlord, person)
  await start(landlord, asked, person)
  await signs(esign, server.url, person, signed, person)
  const otp = await requestOtp(person.phone)

  const refused = await person.call('DELETE', '/auth/me', { otp })

  expect([refused.status, refused.error.details]).toEqual([
    400,
    [expect.objectContaining({ agreement_id: signed.agreement_id, status: 'PENDING' })],
  ])
  expect((await getAgreement(landlord, asked)).signatures).toMatchObject([{ status: 'pending' }])
  await landlord.post(`/agreements/${signed.id}/terminate`)
  expect((await person.call('DELETE', '/auth/me', { otp })).status).toBe(200)
})

test('a signature that the provider reports after the erasure does not count', async () => {
  const { landlord, person } = await createPeople()
  const agreement = await draw(landlord, person)
  await signs(esign, server.url, landlord, agreement, landlord)
  const { data: request } = await start(landlord, agreement, person)
  esign.replies.cancel = () => new Response(null, { status: 204 })
  expect((await erase(person)).status).toBe(200)

  expect((await signsAt(esign, server.url, request.signature_id)).status).toBe(200)

  expect(await getAgreement(landlord, agreement)).toMatchObject({
    status: 'PENDING',
    signatures: [{ status: 'signed' }, { status: 'declined' }],
  })
})
