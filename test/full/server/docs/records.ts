import { PASSWORD_HASH } from '../../../operations/account'
import { leaseTerms } from '../../../operations/agreements'
import { createDates, type Dates } from '../../../operations/dates'
import type { Records } from '../../../operations/fill'
import { createDepositRecords } from './deposit-records'
import { createMaintenanceRecords } from './maintenance-records'

export type Call = (method: string, path: string, body?: unknown) => Promise<any>
type Phones = { phone: string; tenantPhone: string }
/**
 * `call` is in the landlord's name once they have signed in, `otherCall` in that of another landlord. The examples'
 * dates are counted from `now`.
 */
type Options = { call: Call; otherCall: Call; otp: string; origin: string; now: Date }
type Given = Options & { dates: Dates }

const UNIT_NAMES = Array.from({ length: 12 }, (_, index) => `A-${101 + index}`)
const MAX_READS = 100
const PAUSE_MS = 100

/** Signs a landlord in and creates what the examples need: one agreement in each state, and what belongs to it. */
export async function prepareRecords(options: Options, phones: Phones): Promise<Records> {
  const given = { ...options, dates: createDates(options.now) }
  const landlord = await onboard(given, phones.phone)
  const homes = await createHomes(given)
  const tenant = await given.call('POST', '/tenants', {
    phone_number: phones.tenantPhone,
    first_name: 'Vikram',
    last_name: 'Nair',
  })
  const parties = { landlord: landlord.landlord as number, tenant: tenant.id as number }
  const managed = await createManagedUnit(given, phones.tenantPhone, parties.landlord)
  const agreements = await createAgreements(given, homes.units, parties)
  const letUnit = (as: Call, unit: number, of: Parties) => createActiveLease(given, as, unit, of)
  const places = { units: homes.units.slice(-2), rooms: managed.rooms }
  const deposits = await createDepositRecords({ ...given, letUnit }, places, parties)
  const books = await createPayments(given, agreements.let)
  const repairs = await createMaintenanceRecords(given, agreements.let)
  const withdrawable = await given.call('POST', `/agreements/${agreements.let}/rent-revisions`, {
    rent_amount: 28000,
    effective_on: given.dates.laterRevisionDate,
  })
  const rule = await given.call('POST', '/sandbox/control/failures', {
    provider: 'messages',
    behaviour: 'slow',
    match: '9000000000',
  })
  await given.call('POST', '/auth/send-otp', { phone_number: phones.phone })
  return {
    ...phones,
    newPhone: phones.tenantPhone,
    ...given.dates,
    ...landlord,
    ...homes.records,
    ...managed,
    ...agreements,
    ...deposits,
    ...books,
    ...repairs,
    withdrawableRevision: withdrawable.id,
    tenant: parties.tenant,
    failure: rule.id,
    otp: given.otp,
    lease: toLeaseUrl(given),
  }
}

async function onboard({ call, otp }: Given, phone_number: string) {
  await call('POST', '/auth/send-otp', { phone_number })
  const { user } = await call('POST', '/auth/verify', { phone_number, otp })
  await call('PUT', '/profile/complete', {
    first_name: 'Asha',
    last_name: 'Rao',
    email: 'asha.rao@example.com',
    password: PASSWORD_HASH,
  })
  const check = await call('POST', '/profile/ekyc', {})
  return {
    landlord: user.id,
    verification: check.verification_id,
    check: getLastPart(check.verification_url),
  }
}

async function createHomes({ call }: Given) {
  const house = { pin_code: 560048, property_type: 'apartment', society_building: 'White House' }
  const units = UNIT_NAMES.map(unit_name => ({ unit_name, room_type: '2bhk' }))
  const property = await call('POST', '/properties', { ...house, property_units: units })
  const spare = await call('POST', '/properties', { ...house, society_building: 'Green View' })
  const ids: number[] = property.property_units.map(({ id }: { id: number }) => id)
  const [unit, spareUnit, ...others] = ids
  return {
    records: {
      property: property.id,
      spareProperty: spare.id,
      unit: unit!,
      spareUnit: spareUnit!,
    },
    units: others,
  }
}

/** A unit of the other landlord, whose manager the landlord is. */
async function createManagedUnit({ otherCall, otp }: Given, phone_number: string, managed_by_id: number) {
  await otherCall('POST', '/auth/send-otp', { phone_number })
  await otherCall('POST', '/auth/verify', { phone_number, otp })
  const property = await otherCall('POST', '/properties', {
    pin_code: 560038,
    property_type: 'pg',
    property_units: [
      { unit_name: 'Room 1', managed_by_id },
      { unit_name: 'Room 2' },
      { unit_name: 'Room 3' },
    ],
  })
  const [managed, ...rooms]: number[] = property.property_units.map(({ id }: { id: number }) => id)
  return { managedProperty: property.id, managedUnit: managed!, rooms }
}

type Parties = { landlord: number; tenant: number }

/** Each agreement has a unit of its own, so that none stands against another. */
async function createAgreements(given: Given, units: number[], { landlord, tenant }: Parties) {
  const { call } = given
  const free = [...units]
  const draft = async (changes = {}) => {
    const terms = { ...toTerms(given), property_unit_id: free.shift() ?? units[0], tenant_ids: [tenant] }
    const lease = { ...terms, document_url: toLeaseUrl(given), ...changes }
    return (await call('POST', '/agreements', lease)).id as number
  }
  const start = async (id: number, signer_id: number) =>
    await call('POST', `/agreements/${id}/sign`, { signer_id })
  const sign = async (id: number, signer: number) => {
    const { signing_url } = await start(id, signer)
    await call('POST', `/sandbox/control/signatures/${getLastPart(signing_url)}`, { outcome: 'sign' })
  }

  const ids = {
    draft: await draft(),
    declinable: await draft(),
    cancellable: await draft(),
    revisable: await draft(),
  }
  const others = {
    agreement: await draft(),
    terminated: await draft(),
    waiting: await draft(),
    // A deposit that is held would stand against the erasure.
    let: await draft({ agreement_start_date: given.dates.lastMonth, deposit_amount: null }),
    spareDraft: await draft(),
  }
  await start(ids.declinable, tenant)
  const { signature_id } = await start(ids.cancellable, tenant)
  await start(ids.revisable, tenant)
  const waiting = await start(others.waiting, tenant)
  await start(others.terminated, tenant)
  await call('POST', `/agreements/${others.terminated}/terminate`, {})
  for (const lease of [others.agreement, others.let]) {
    for (const party of [landlord, tenant]) await sign(lease, party)
    await waitUntilActive(call, lease)
  }
  return { ...ids, ...others, signature: signature_id, signing: getLastPart(waiting.signing_url) }
}

/** Lets a unit, signed by both parties. */
async function createActiveLease(given: Given, as: Call, unit: number, { landlord, tenant }: Parties) {
  const terms = {
    ...toTerms(given),
    property_unit_id: unit,
    tenant_ids: [tenant],
    document_url: toLeaseUrl(given),
  }
  const { id } = await as('POST', '/agreements', terms)
  for (const signer_id of [landlord, tenant]) {
    const { signing_url } = await as('POST', `/agreements/${id}/sign`, { signer_id })
    await as('POST', `/sandbox/control/signatures/${getLastPart(signing_url)}`, { outcome: 'sign' })
  }
  await waitUntilActive(as, id)
  return id as number
}

/** A payment in each state, two of them reported by the tenant, one with tax withheld, and a rent that is open. */
async function createPayments({ call, otherCall }: Given, lease: number) {
  let position = 0
  const pay = async (as: Call, amount: number, method: string, tax = {}) => {
    const payment = { amount, method, reference: `43215678900${++position}`, ...tax }
    return (await as('POST', `/agreements/${lease}/payments`, payment)).id as number
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
  const [charge] = await call('GET', `/charges?agreement_id=${lease}&type=rent&sort=-due_date`)
  return { ...payments, charge: charge.id }
}

/** The webhook of the last signature arrives a moment later. */
async function waitUntilActive(call: Call, id: number) {
  for (let reads = 0; reads < MAX_READS; reads++) {
    const { status } = await call('GET', `/agreements/${id}`)
    if (status === 'ACTIVE') return
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  throw new Error('The agreement did not become ACTIVE')
}

const toTerms = ({ dates }: Given) => ({ ...leaseTerms, agreement_start_date: dates.nextMonth })

const toLeaseUrl = ({ origin }: Given) => `${origin}/sandbox/files/sample-lease.pdf`

const getLastPart = (url: string) => url.split('/').at(-1)!
