import { expect, test } from 'bun:test'
import { clock, startSecondInstance, testServer } from '../../../support/server'
import {
  atServer,
  completeSigning,
  createActiveAgreement,
  createPendingAgreement,
  createUnit,
  requireSuccess,
  signInThree,
  signInUser,
  type TestUser,
} from '../../../support/users'
import { erase } from '../../privacy/erasing'

const time = clock(new Date('2027-03-10T06:30:00Z'))
const server = testServer({ overrides: { now: time.now } })

async function createLease(terms = {}) {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { path } = await createActiveAgreement(landlord, [tenant], terms)
  return { landlord, tenant, renew: () => landlord.post(`${path}/renew`, {}), path }
}

test('201: the next term of a lease that ended early begins on the day after its end', async () => {
  const { landlord, path, renew } = await createLease()
  await landlord.post(`${path}/terminate`, { termination_date: '2027-02-28' })

  expect((await renew()).data).toMatchObject({
    agreement_start_date: '2027-03-01',
    agreement_end_date: '2028-01-31',
  })
})

test('201: the next term of a lease that ended before its start has its first rent', async () => {
  const { landlord, path } = await createLease({ agreement_start_date: '2027-04-01' })
  expect((await landlord.post(`${path}/terminate`)).status).toBe(200)

  const { status, data } = await landlord.post(`${path}/renew`, {})

  expect([status, data.agreement_start_date, data.rent_amount]).toEqual([201, '2027-03-11', 25000])
})

test('403: an agreement that ended before all had signed has no next term', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const { path } = await createPendingAgreement(landlord, [tenant])
  await landlord.post(`${path}/terminate`)

  const { status, error } = await landlord.post(`${path}/renew`, {})

  expect([status, error.reason]).toEqual([403, 'wrong_status'])
})

type Next = { id: number; landlord: TestUser; tenant: TestUser }
const askLandlord = ({ id, landlord }: Next) => completeSigning(landlord, id, landlord.id)
const signAll = async (next: Next) => {
  await askLandlord(next)
  await completeSigning(next.tenant, next.id, next.tenant.id)
}
const withdraw = async (next: Next) => {
  await askLandlord(next)
  await next.landlord.post(`/agreements/${next.id}/terminate`)
}

test.each([
  ['400', 'is being signed', askLandlord, 'already_renewed'],
  ['400', 'is active', signAll, 'already_renewed'],
  ['201', 'was withdrawn', withdraw, undefined],
])('%s: another next term of a lease whose next term %s', async (status, _, change, reason) => {
  const { landlord, tenant, renew } = await createLease()
  const { data } = await renew()
  await change({ id: data.id, landlord, tenant })

  const again = await renew()

  expect([String(again.status), again.error?.reason]).toEqual([status, reason])
})

/** A lease that was terminated, of a unit that the landlord has deleted since. */
async function createLeaseOfDeletedUnit() {
  const [landlord, manager] = [await signInUser(server), await signInUser(server)]
  const tenant = await signInUser(server)
  const { unit, path: unitPath } = await createUnit(landlord, { managed_by_id: manager.id })
  const { path } = await createActiveAgreement(landlord, [tenant], { property_unit_id: unit.id })
  await landlord.post(`${path}/terminate`)
  requireSuccess(await landlord.delete(unitPath), 'Deleting the unit')
  return { landlord, manager, path }
}

test('404: a lease of a deleted unit has no next term', async () => {
  const { landlord, path } = await createLeaseOfDeletedUnit()

  const { status, error } = await landlord.post(`${path}/renew`, {})

  expect([status, error.reason]).toEqual([404, 'unit_not_found'])
})

test('201: a lease of a deleted unit moves to another one of its landlord', async () => {
  const { landlord, path } = await createLeaseOfDeletedUnit()
  const { unit } = await createUnit(landlord)

  const moved = await landlord.post(`${path}/renew`, { property_unit_id: unit.id })

  expect([moved.status, moved.data.property_unit_id]).toEqual([201, unit.id])
})

test('a tenant need not be named again to move; the new unit has to be visible, of the landlord, and free', async () => {
  const strict = await startSecondInstance(server, { PARTIES: 'named' })
  const [landlord, other, manager] = await signInThree(server)
  const tenant = await signInUser(server)
  const { path } = await createActiveAgreement(landlord, [tenant])
  const { unit: foreign, path: foreignPath } = await createUnit(other, { managed_by_id: manager.id })
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const renew = async (by: TestUser, property_unit_id: number) => {
    const { status, error, data } = await atServer(strict, by).post(`${path}/renew`, { property_unit_id })
    return { data, outcome: [status, error?.reason ?? data.property_unit_id] }
  }

  expect((await renew(landlord, foreign.id)).outcome).toEqual([404, 'unit_not_found'])
  expect((await renew(manager, unit.id)).outcome).toEqual([404, 'agreement_not_found'])
  expect((await renew(tenant, unit.id)).outcome).toEqual([403, 'not_unit_side'])
  await other.patch(foreignPath, { managed_by_id: landlord.id })
  expect((await renew(landlord, foreign.id)).outcome).toEqual([400, 'unit_of_other_landlord'])
  const { data, outcome } = await renew(landlord, unit.id)
  expect(outcome).toEqual([201, unit.id])

  const { agreement_start_date } = data
  await createActiveAgreement(landlord, [other], { property_unit_id: unit.id, agreement_start_date })
  const signed = await landlord.post(`/agreements/${data.id}/sign`, { signer_id: tenant.id })
  expect([signed.status, signed.error.reason]).toEqual([400, 'unit_overlap'])
})

test.each(['deleted the unit', 'was erased'])(
  '403: a manager changes no lease whose landlord %s',
  async how => {
    const { landlord, manager, path } = await createLeaseOfDeletedUnit()
    if (how === 'was erased') await erase(server, landlord)
    const changes: [path: string, body: object][] = [
      ['renew', {}],
      ['payments', { amount: 100, method: 'cash' }],
      ['charges', { type: 'other', amount: 100, due_date: '2027-03-20' }],
    ]

    for (const [change, body] of changes) {
      const { status, error } = await manager.post(`${path}/${change}`, body)
      expect([change, status, error?.reason]).toEqual([change, 403, 'not_unit_side'])
    }
    expect((await manager.get(path)).status).toBe(200)
  },
)
