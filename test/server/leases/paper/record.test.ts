import { expect, test } from 'bun:test'
import { interruptInOrder, lockRow } from '../../../support/locks'
import { readCertificate } from '../../../support/certificate-text'
import { agreementTerms, completeSigning, signInUser } from '../../../support/users'
import { createPaperDraft, createRecorded, listTypes, paperServer, readDocument } from './fixtures'

const server = paperServer()

test('200: a draft that was signed on paper is active at once, with signatures that say so', async () => {
  const { landlord, tenant, manager, path, agreement, record } = await createPaperDraft(server)
  const numbers = { registration_number: 'BLR-1234/2026', stamp_number: 'IN-KA123' }

  const { status, data } = await record(numbers)

  expect([status, data.status]).toEqual([200, 'ACTIVE'])
  expect(data).toMatchObject({ signed_date: '2026-09-20', recorded_on: '2026-12-01', ...numbers })
  const { data: signed } = await tenant.get(`${path}/signatures`)
  const signature = {
    status: 'signed',
    provider: 'paper',
    signed_at: '2026-09-20T00:00:00.000Z',
    accepted_at: null,
  }
  expect(signed.allSigned).toBe(true)
  expect(signed.signatures).toEqual([
    expect.objectContaining({ ...signature, signer_id: landlord.id, signer_role: 'landlord' }),
    expect.objectContaining({ ...signature, signer_id: tenant.id, signer_role: 'tenant' }),
  ])
  expect(await listTypes(manager, path)).toEqual(['created', 'recorded', 'activated'])
  const { data: timeline } = await landlord.get(`${path}/timeline`)
  expect([timeline.intact, timeline.entries[1].details]).toMatchObject([
    true,
    { signed_on: '2026-09-20', ...numbers },
  ])
  const { data: charges } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=rent`)
  expect(charges).toHaveLength(3)
  const told = server.db.selectFrom('activities').where('user_id', '=', tenant.id).orderBy('id')
  expect((await told.select('type').execute()).map(({ type }) => type)).toEqual([
    'profile_completed',
    'agreement_recorded',
    'agreement_activated',
  ])
})

test('the documents say that the landlord recorded it, and that it was not signed electronically', async () => {
  const { landlord, tenant, path, agreement } = await createRecorded(server)

  const { text } = await readCertificate(server, tenant, agreement.id)
  const statement = await readDocument(server, landlord, `${path}/statement/pdf`)
  const inHindi = await readDocument(server, landlord, `${path}/statement/pdf?language=hi`)

  for (const document of [text, statement])
    expect(document.replaceAll(/\s+/g, ' ')).toContain(
      'On paper on 20 Sep 2026, as recorded by the landlord on 1 Dec 2026, not signed electronically',
    )
  expect(inHindi).toContain('20 सितंबर 2026')
  const { status, error } = await tenant.get(`${path}/document`)
  expect([status, error.reason]).toEqual([404, 'signed_document_not_found'])
})

test.each([
  ['a tenure that is over has ended', {}, 'TERMINATED', '2025-08-31', 'ended'],
  ['one that renews itself goes on', { auto_renew: true }, 'ACTIVE', '2027-06-30', 'renewed'],
])('200: of a lease of 2024 %s, and its books are whole', async (_, changes, status, end, entry) => {
  const old = { agreement_start_date: '2024-10-01', ...changes }
  const { landlord, agreement, path } = await createRecorded(server, old)

  const { data } = await landlord.get(path)
  expect([data.status, data.agreement_end_date]).toEqual([status, end])
  expect(await listTypes(landlord, path)).toEqual(['created', 'recorded', 'activated', entry])
  const { data: charges } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=rent`)
  expect(charges.length).toBeGreaterThanOrEqual(status === 'ACTIVE' ? 27 : 11)
  expect(charges.every((charge: any) => charge.status === 'overdue' || charge.due_date >= '2026-12-01')).toBe(
    true,
  )
})

test('a lease that renews itself ends with its tenure if its unit is let since', async () => {
  const old = await createPaperDraft(server, { agreement_start_date: '2024-10-01', auto_renew: true })
  const terms = agreementTerms(old.unit.id, [old.tenant.id])
  const { data: next } = await old.landlord.post('/agreements', terms)
  await old.landlord.post(`/agreements/${next.id}/record`, { signed_on: '2026-11-30' })

  expect((await old.record()).data.status).toBe('TERMINATED')
  expect((await old.record()).error.reason).toBe('wrong_status')
})

test('what fell due before the lease was recorded brings no late fee', async () => {
  const { landlord, agreement } = await createRecorded(server, { late_fee: 500 })
  await server.goTo('2026-12-20')
  const again = await signInUser(server, landlord.phone)

  const { data: fees } = await again.get(`/charges?agreement_id=${agreement.id}&type=late_fee`)
  expect(fees.map(({ due_date }: any) => due_date)).toEqual(['2026-12-06'])
  server.setDay('2026-12-01')
})

test('400 and 403: what cannot be recorded', async () => {
  const { landlord, tenant, path, record } = await createPaperDraft(server)
  const toResult = ({ status, error }: any) => [status, error.reason]

  expect(toResult(await record({ signed_on: '2026-12-02' }))).toEqual([400, 'date_in_future'])
  expect(toResult(await record({ signed_on: null }))).toEqual([400, 'invalid_fields'])
  expect(toResult(await tenant.post(`${path}/record`, { signed_on: '2026-09-20' }))).toEqual([
    403,
    'not_unit_side',
  ])
  await tenant.post(`${path}/decline`)
  expect(toResult(await record())).toEqual([400, 'tenants_declined'])

  const other = await createRecorded(server)
  const terms = agreementTerms(other.unit.id, [other.tenant.id], { agreement_start_date: '2027-08-01' })
  const { data: next } = await other.landlord.post('/agreements', terms)
  const overlapping = await other.landlord.post(`/agreements/${next.id}/record`, { signed_on: '2026-11-30' })
  expect(toResult(overlapping)).toEqual([400, 'unit_overlap'])
  expect((await landlord.get(path)).data.status).toBe('DRAFT')
})

test('a renewal on paper takes the deposit over', async () => {
  const { landlord, agreement, path } = await createRecorded(server)
  await landlord.post(`${path}/payments`, { amount: 175000, method: 'upi', paid_on: '2026-11-01' })
  await landlord.post(`${path}/terminate`, { termination_date: '2026-11-30' })
  const { data: next } = await landlord.post(`${path}/renew`, {})

  const { status } = await landlord.post(`/agreements/${next.id}/record`, { signed_on: '2026-12-01' })

  expect(status).toBe(200)
  expect((await landlord.get(`/agreements/${next.id}/deposit`)).data).toMatchObject({ held: 100000 })
  expect((await landlord.get(`/agreements/${agreement.id}/deposit`)).data).toMatchObject({ to_next: 100000 })
})

test('two records of one draft at once make one lease', async () => {
  const { landlord, agreement, path, record } = await createPaperDraft(server)

  const answers = await interruptInOrder(server, lockRow('agreements', agreement.id), [record, record])

  expect(answers.map(({ status }) => status)).toEqual([200, 403])
  expect(await listTypes(landlord, path)).toEqual(['created', 'recorded', 'activated'])
})

test('a signing that is being started when the draft is recorded is refused, and signs nothing', async () => {
  const { landlord, tenant, agreement, path, record } = await createPaperDraft(server)
  const sign = () => landlord.post(`${path}/sign`, { signer_id: tenant.id })

  const answers = await interruptInOrder(server, lockRow('agreements', agreement.id), [record, sign])

  expect(answers.map(({ status }) => status)).toEqual([200, 403])
  const { data } = await landlord.get(`${path}/signatures`)
  expect(data.signatures.map(({ provider }: any) => provider)).toEqual(['paper', 'paper'])
  await expect(completeSigning(tenant, agreement.id, tenant.id)).rejects.toThrow()
})
