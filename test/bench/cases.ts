import { randomUUID } from 'node:crypto'
import {
  createLogins,
  createOtpRequests,
  createPayments,
  createReads,
  createSignings,
  createVerifications,
  createWebhooks,
  createWrites,
  type Write,
} from './case-requests'
import { FISCAL_YEAR } from './fill-book-rows'
import { getBuilding, getOwnLeaseId, getOwnPropertyId, getPinCode, getWriterPropertyId } from './layout'
import type { World } from './world'

type CreateRequests = (world: World, count: number) => Buffer[] | Promise<Buffer[]>

export type Case = {
  name: string
  what: string
  /** The highest ratio of the server's CPU to the floor's; a case without a bar is not measured on the floor. */
  bar?: number
  status: number
  /** The floor gives the same response to a read, and a response of the same shape to a change. */
  isRead?: true
  /** A slow case takes this share of the usual number of requests. */
  share?: number
  /** Creates requests, each to be sent once. */
  createRequests: CreateRequests
}

type Path = Parameters<typeof createReads>[0]

const read = (name: string, what: string, path: Path, bar?: number): Case => {
  const createRequests = createReads(path)
  return { name, what, bar, status: 200, isRead: true, createRequests }
}

const change = (
  name: string,
  what: string,
  status: number,
  createRequests: CreateRequests,
  bar?: number,
): Case => ({ name, what, bar, status, createRequests })

const property = ({ layout }: World, landlordId: number, index: number) =>
  `/properties/${getOwnPropertyId(layout, landlordId, index)}`

const agreement = ({ layout }: World, landlordId: number, index: number) =>
  `/agreements/${getOwnPropertyId(layout, landlordId, index)}`

const statement = ({ layout }: World, landlordId: number, index: number) =>
  `/agreements/${getOwnLeaseId(layout, landlordId, index)}/statement?year=${FISCAL_YEAR}`

const newProperty = (_world: World, _writerId: number, index: number): Write => ({
  method: 'POST',
  path: '/properties',
  body: {
    pin_code: 560_048,
    property_type: 'apartment',
    society_building: `White House ${index}`,
    locality: 'Whitefield',
    property_units: ['A', 'B', 'C'].map(name => ({ unit_name: name, room_type: '2bhk' })),
  },
})

function unitNotes({ layout }: World, writerId: number, index: number): Write {
  const propertyId = getWriterPropertyId(layout, writerId, index)
  const unitId = 3 * propertyId - (index % 3)
  return {
    method: 'PATCH',
    path: `/properties/${propertyId}/units/${unitId}`,
    body: { unit_notes: `Painted ${randomUUID()}` },
  }
}

const newAgreement = ({ layout }: World, writerId: number, index: number): Write => ({
  method: 'POST',
  path: '/agreements',
  body: {
    property_unit_id: 3 * getWriterPropertyId(layout, writerId, index),
    tenant_ids: [layout.firstTenant + 1 + (index % layout.owned)],
    document_url: 'https://example.com/lease.pdf',
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 25_000,
    deposit_amount: 50_000,
    rent_due_day: 5,
    notice_period_days: 30,
  },
})

/** Password hashing takes 64 MiB a request, so `login` comes last. */
export const cases: Case[] = [
  change('otp-a', 'sign-in: ask for the OTP (A)', 200, createOtpRequests('/auth', 'phoneNumber')),
  change('otp-b', 'sign-in: ask for the OTP (B)', 200, createOtpRequests('/auth/send-otp', 'phone_number')),
  change('verify-a', 'sign-in: verify (A)', 200, createVerifications('phoneNumber')),
  change('verify-b', 'sign-in: verify (B)', 200, createVerifications('phone_number')),
  read('me', 'GET /auth/me', () => '/auth/me', 1.45),
  read('dashboard', 'dashboard', () => '/dashboard'),
  read('properties', 'list of 20 properties', () => '/properties?limit=20', 1.4),
  read('property', 'property with its units', property, 1.4),
  read('units', 'units of a property', (...args) => `${property(...args)}/units`),
  read('search', 'search for a building', getSearchPath),
  read('agreements', 'list of 20 agreements', () => '/agreements?limit=20'),
  read('agreement', 'agreement', agreement),
  read('signatures', 'signatures of an agreement', (...args) => `${agreement(...args)}/signatures`),
  read('charges', 'list of 20 charges', () => '/charges?limit=20'),
  read('payments', 'list of 20 payments', () => '/payments?limit=20'),
  read('statement', 'statement of a year', statement, 1.5),
  change('create-property', 'create a property with 3 units', 201, createWrites(newProperty)),
  change('patch-unit', 'change a unit', 200, createWrites(unitNotes), 4.3),
  change('create-agreement', 'create an agreement', 201, createWrites(newAgreement)),
  change('sign', 'start a signing (sandbox in process)', 200, createSignings),
  change('webhook', 'webhook of the last signature', 200, createWebhooks),
  change('post-payment', 'post a payment for two charges', 201, createPayments, 3.5),
  { ...change('login', 'sign-in: password', 200, createLogins), share: 0.01 },
]

function getSearchPath({ layout }: World, _landlordId: number, index: number) {
  const propertyId = 1 + ((index * 7919) % layout.owned)
  const name = encodeURIComponent(getBuilding(propertyId))
  return `/properties/search?name=${name}&pin_code=${getPinCode(propertyId, layout)}`
}
