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
  /** The highest ratio of the server's CPU to the floor's. */
  bar?: number
  status: number
  /** Both servers give the same response to a read, and responses of the same shape to a change. */
  isRead?: true
  /** A slow case takes this share of the usual number of requests. */
  share?: number
  /** Creates requests, each to be sent once. */
  createRequests: CreateRequests
}

const READ = 1.4
const DASHBOARD = 1.6
const SEARCH = 1.5
const CHANGE = 4.3
const OTP = 3.5
const VERIFY = 2
const WEBHOOK = 3.8
const BOOKS = 1.4
const PAYMENT = 3.5

type Path = Parameters<typeof createReads>[0]

const read = (name: string, what: string, bar: number, path: Path): Case => {
  const createRequests = createReads(path)
  return { name, what, bar, status: 200, isRead: true, createRequests }
}

const change = (
  name: string,
  what: string,
  bar: number | undefined,
  status: number,
  createRequests: CreateRequests,
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
  change('otp-a', 'sign-in: ask for the OTP (A)', OTP, 200, createOtpRequests('/auth', 'phoneNumber')),
  change(
    'otp-b',
    'sign-in: ask for the OTP (B)',
    OTP,
    200,
    createOtpRequests('/auth/send-otp', 'phone_number'),
  ),
  change('verify-a', 'sign-in: verify (A)', VERIFY, 200, createVerifications('phoneNumber')),
  change('verify-b', 'sign-in: verify (B)', VERIFY, 200, createVerifications('phone_number')),
  read('me', 'GET /auth/me', READ, () => '/auth/me'),
  read('dashboard', 'dashboard', DASHBOARD, () => '/dashboard'),
  read('properties', 'list of 20 properties', READ, () => '/properties?limit=20'),
  read('property', 'property with its units', READ, property),
  read('units', 'units of a property', READ, (...args) => `${property(...args)}/units`),
  read('search', 'search for a building', SEARCH, getSearchPath),
  read('agreements', 'list of 20 agreements', READ, () => '/agreements?limit=20'),
  read('agreement', 'agreement', READ, agreement),
  read('signatures', 'signatures of an agreement', READ, (...args) => `${agreement(...args)}/signatures`),
  read('charges', 'list of 20 charges', BOOKS, () => '/charges?limit=20'),
  read('payments', 'list of 20 payments', BOOKS, () => '/payments?limit=20'),
  read('statement', 'statement of a year', BOOKS, statement),
  change('create-property', 'create a property with 3 units', CHANGE, 201, createWrites(newProperty)),
  change('patch-unit', 'change a unit', CHANGE, 200, createWrites(unitNotes)),
  change('create-agreement', 'create an agreement', CHANGE, 201, createWrites(newAgreement)),
  change('sign', 'start a signing (sandbox in process)', CHANGE, 200, createSignings),
  change('webhook', 'webhook of the last signature', WEBHOOK, 200, createWebhooks),
  change('post-payment', 'post a payment for two charges', PAYMENT, 201, createPayments),
  { ...change('login', 'sign-in: password', undefined, 200, createLogins), share: 0.01 },
]

function getSearchPath({ layout }: World, _landlordId: number, index: number) {
  const propertyId = 1 + ((index * 7919) % layout.owned)
  const name = encodeURIComponent(getBuilding(propertyId))
  return `/properties/search?name=${name}&pin_code=${getPinCode(propertyId, layout)}`
}
