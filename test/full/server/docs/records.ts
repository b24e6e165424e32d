import { PASSWORD_HASH } from '../../../operations/account'
import { leaseTerms } from '../../../operations/agreements'
import { createDates, type Dates } from '../../../operations/dates'
import { fill, type Records } from '../../../operations/fill'
import { createDepositRecords } from './deposit-records'
import { createMaintenanceRecords } from './maintenance-records'

export type Call = (method: string, path: string, body?: unknown) => Promise<any>
type Phones = { phone: string; tenantPhone: string }
/** `call` is in the landlord's name once they have signed in, `otherCall` in that of another landlord. */
type Given = { call: Call; otherCall: Call; dates: Dates; leases: Leases }
type Options = Pick<Given, 'call' | 'otherCall'> & { otp: string; lease: string; now: Date }

const UNIT_NAMES = Array.from({ length: 12 }, (_, index) => `A-${101 + index}`)

/** Signs a landlord in and creates what the examples need: one agreement in each state, and what belongs to it. */
export async function prepareRecords(options: Options, phones: Phones): Promise<Records> {
  const { call, otherCall, otp, lease } = options
  const dates = createDates(options.now)
  const given = { call, otherCall, dates, leases: createLeases({ ...dates, lease }) }
  const { landlord, ...check } = await onboard(call, phones.phone, otp)
  const homes = await createHomes(call)
  const name = { first_name: 'Vikram', last_name: 'Nair' }
  const { id: tenant } = await call('POST', '/tenants', { phone_number: phones.tenantPhone, ...name })
  await signIn(otherCall, phones.tenantPhone, otp)
  const { rooms, ...managed } = await createManagedUnit(otherCall, landlord)
  const parties = { landlord, tenant }
  const agreements = await createAgreements(given, homes.units, parties)
  const deposits = await createDepositRecords(given, { units: homes.units.slice(-2), rooms }, parties)
  const books = await createPayments(given, agreements.let)
  const repairs = await createMaintenanceRecords(given, agreements.let)
  const withdrawable = await call('POST', `/agreements/${agreements.let}/rent-revisions`, {
    rent_amount: 28000,
    effective_on: dates.laterRevisionDate,
  })
  const slow = { provider: 'messages', behaviour: 'slow', match: '9000000000' }
  const { id: failure } = await call('POST', '/sandbox/control/failures', slow)
  await call('POST', '/auth/send-otp', { phone_number: phones.phone })
  return {
    ...phones,
    ...dates,
    ...check,
    ...homes.records,
    ...managed,
    ...agreements,
    ...deposits,
    ...books,
    ...repairs,
    newPhone: phones.tenantPhone,
    otp,
    lease,
    landlord,
    tenant,
    withdrawableRevision: withdrawable.id,
    failure,
    // The last ones, so that the numbers of the others stay.
    recordable: await given.leases.draft(call, homes.units.at(-2)!, parties),
    worded: await given.leases.draft(call, homes.units[0]!, parties, {
      document_url: undefined,
      document: { template: 'residential', language: 'en' },
    }),
  }
}

export async function signIn(call: Call, phone_number: string, otp: string) {
  await call('POST', '/auth/send-otp', { phone_number })
  return call('POST', '/auth/verify', { phone_number, otp })
}

async function onboard(call: Call, phone: string, otp: string) {
  const { user } = await signIn(call, phone, otp)
  const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha.rao@example.com' }
  await call('PUT', '/profile/complete', { ...profile, password: PASSWORD_HASH })
  const { verification_id, verification_url } = await call('POST', '/profile/ekyc', {})
  return { landlord: user.id, verification: verification_id, check: getLastPart(verification_url) }
}

const listUnitIds = ({ property_units }: { property_units: { id: number }[] }) =>
  property_units.map(({ id }) => id)

async function createHomes(call: Call) {
  const house = { pin_code: 560048, property_type: 'apartment', society_building: 'White House' }
  const property_units = UNIT_NAMES.map(unit_name => ({ unit_name, room_type: '2bhk' }))
  const property = await call('POST', '/properties', { ...house, property_units })
  const spare = await call('POST', '/properties', { ...house, society_building: 'Green View' })
  const [unit, spareUnit, ...units] = listUnitIds(property)
  return { records: { property: property.id, spareProperty: spare.id, unit, spareUnit }, units }
}

/** A unit of the other landlord, whose manager the landlord is. */
async function createManagedUnit(otherCall: Call, managed_by_id: number) {
  const others = [{ unit_name: 'Room 2' }, { unit_name: 'Room 3' }, { unit_name: 'Room 4' }]
  const rooms = [{ unit_name: 'Room 1', managed_by_id }, ...others]
  const house = { pin_code: 560038, property_type: 'pg', property_units: rooms }
  const property = await otherCall('POST', '/properties', house)
  const [managedUnit, ...free] = listUnitIds(property)
  return { managedProperty: property.id, managedUnit, rooms: free }
}

export type Parties = { landlord: number; tenant: number }
export type Leases = ReturnType<typeof createLeases>

/** Steps of a lease, for who lets the unit. */
function createLeases(records: Records) {
  const terms = fill({ ...leaseTerms, document_url: '$lease' }, records)

  async function draft(as: Call, unit: number, { tenant }: Parties, changes = {}): Promise<number> {
    const lease = { ...terms, property_unit_id: unit, tenant_ids: [tenant], ...changes }
    return (await as('POST', '/agreements', lease)).id
  }
  const start = (as: Call, id: number, signer_id: number) =>
    as('POST', `/agreements/${id}/sign`, { signer_id })

  async function activate(as: Call, id: number, { landlord, tenant }: Parties) {
    for (const party of [landlord, tenant]) {
      const { signing_url } = await start(as, id, party)
      await as('POST', `/sandbox/control/signatures/${getLastPart(signing_url)}`, { outcome: 'sign' })
    }
    return id
  }
  return { draft, start, activate }
}

/** Each agreement has a unit of its own, so that none stands against another. */
async function createAgreements({ call, dates, leases }: Given, units: number[], parties: Parties) {
  const free = [...units]
  const draft = (changes = {}) => leases.draft(call, free.shift() ?? units[0]!, parties, changes)
  const ids = {
    draft: await draft(),
    declinable: await draft(),
    cancellable: await draft(),
    revisable: await draft(),
    agreement: await draft(),
    terminated: await draft(),
    waiting: await draft(),
    // A deposit that is held would stand against the erasure.
    let: await draft({ agreement_start_date: dates.lastMonth, deposit_amount: null }),
    spareDraft: await draft(),
  }
  const start = (id: number) => leases.start(call, id, parties.tenant)
  await start(ids.declinable)
  const { signature_id: signature } = await start(ids.cancellable)
  await start(ids.revisable)
  const { signing_url } = await start(ids.waiting)
  await start(ids.terminated)
  await call('POST', `/agreements/${ids.terminated}/terminate`, {})
  const reinstatable = await draft({ agreement_start_date: '2036-01-01' })
  for (const id of [ids.agreement, ids.let, reinstatable]) await leases.activate(call, id, parties)
  await call('POST', `/agreements/${reinstatable}/terminate`, {})
  return { ...ids, reinstatable, signature, signing: getLastPart(signing_url) }
}

/**
 * A payment in each state, two of them reported by the tenant, one with tax withheld, and one that was paid back, and a
 * rent that is open.
 */
async function createPayments({ call, otherCall }: Given, lease: number) {
  let position = 0
  const pay = async (as: Call, amount: number, method: string, tax = {}): Promise<number> => {
    const payment = { amount, method, reference: `43215678900${++position}`, ...tax }
    return (await as('POST', `/agreements/${lease}/payments`, payment)).id
  }
  const payments = {
    reported: await pay(otherCall, 25000, 'upi'),
    doubtful: await pay(otherCall, 24000, 'upi'),
    cheque: await pay(call, 5000, 'cheque'),
    badCheque: await pay(call, 6000, 'cheque'),
    payment: await pay(call, 10000, 'bank_transfer'),
    mistaken: await pay(call, 3000, 'upi'),
    taxed: await pay(call, 9800, 'bank_transfer', { tds_amount: 200 }),
  }
  const returned = await pay(call, 100, 'upi')
  await call('PUT', `/payments/${returned}/allocations`, { allocations: [] })
  const refund = await call('POST', `/agreements/${lease}/refunds`, { amount: 100, method: 'upi' })
  const [charge] = await call('GET', `/charges?agreement_id=${lease}&type=rent&sort=-due_date`)
  return { ...payments, charge: charge.id, refund: refund.id }
}

const getLastPart = (url: string) => url.split('/').at(-1)!
