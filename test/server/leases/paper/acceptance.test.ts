import { expect, test } from 'bun:test'
import { storeDueEvidence } from '../../../../server/leases/evidence/job'
import { readCertificate } from '../../../support/certificate-text'
import { createActiveAgreement, signInUser } from '../../../support/users'
import { tryErase } from '../../privacy/erasing'
import { createRecorded, listTypes, namesIn, paperServer, readAsLandlord } from './fixtures'

const server = paperServer()
const payment = { amount: 25000, method: 'upi', reference: 'UTR 1' }

test('until a tenant accepts a recorded lease, the landlord sees of them what the landlord said', async () => {
  const lease = await createRecorded(server)
  expect(namesIn(await readAsLandlord(server, lease))).toEqual(['given'])

  const { status, data } = await lease.tenant.post(`${lease.path}/acceptance`)

  expect([status, data.id]).toEqual([200, lease.agreement.id])
  const text = await readAsLandlord(server, lease)
  expect(namesIn(text)).toEqual(['own'])
  expect(text).toContain('Accepted by a tenant,')
  const { data: signed } = await lease.landlord.get(`${lease.path}/signatures`)
  expect(signed.signatures.map(({ accepted_at }: any) => accepted_at)).toEqual([
    null,
    server.deps.now().toISOString(),
  ])
})

test('to accept again changes nothing, and so does to accept after a report', async () => {
  const { tenant, path } = await createRecorded(server)
  await tenant.post(`${path}/payments`, payment)
  expect((await tenant.post(`${path}/acceptance`)).status).toBe(200)

  expect(await listTypes(tenant, path)).toEqual(['created', 'recorded', 'activated', 'accepted'])
})

test('what the landlord enters accepts nothing', async () => {
  const { landlord, tenant, path } = await createRecorded(server)
  await landlord.post(`${path}/payments`, { ...payment, payer_id: tenant.id })

  expect(await listTypes(landlord, path)).not.toContain('accepted')
})

test('400: a lease that was signed electronically was not recorded', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { path } = await createActiveAgreement(landlord, [tenant])

  const { status, error } = await tenant.post(`${path}/acceptance`)

  expect([status, error.reason]).toEqual([400, 'not_recorded'])
})

test('neither an active lease nor its deposit stands against the erasure of a tenant who has not accepted it', async () => {
  const lease = await createRecorded(server)
  const { landlord, tenant, path, agreement } = lease
  await landlord.post(`${path}/payments`, { amount: 175000, method: 'upi', paid_on: '2026-11-01' })
  expect((await landlord.get(`${path}/deposit`)).data.held).toBe(100000)
  await storeDueEvidence(server.deps)

  expect((await tryErase(server, tenant)).status).toBe(200)

  const { data } = await landlord.get(path)
  expect([data.status, data.tenant_ids]).toEqual(['ACTIVE', [tenant.id]])
  const text = await readAsLandlord(server, lease)
  expect([namesIn(text), text.includes(tenant.phone), text.includes(tenant.phone.slice(-4))]).toEqual([
    [],
    false,
    false,
  ])
  expect(text).toContain(`User ${tenant.id}`)
  expect((await landlord.get(`${path}/timeline`)).data.intact).toBe(true)
  await landlord.post(`${path}/terminate`)
  expect((await readCertificate(server, landlord, agreement.id)).text).toContain('Terminated on')
})

test('400: a lease that the tenant has accepted stands against their erasure', async () => {
  const { tenant, path } = await createRecorded(server)
  await tenant.post(`${path}/acceptance`)

  const { status, error } = await tryErase(server, tenant)

  expect([status, error.reason]).toEqual([400, 'agreements_open'])
})

test('400: a recorded lease stands against the erasure of its landlord', async () => {
  const { landlord } = await createRecorded(server)

  expect((await tryErase(server, landlord)).error.reason).toBe('agreements_open')
})
