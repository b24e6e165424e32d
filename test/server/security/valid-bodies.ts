import type { AgreementFixture, State } from '../../support/agreement-fixture'
import type { BooksFixture, PaymentState } from '../../support/books/books-fixture'
import { settlementInput, type DepositState } from '../../support/books/deposit-fixture'
import { newRequest, type RequestFixture, type RequestState } from '../../support/maintenance-fixture'
import { clock } from '../../support/server'
import { agreementTerms, freshPhone, type TestUser } from '../../support/users'

export type Fixture = AgreementFixture &
  BooksFixture &
  RequestFixture &
  Record<'owner' | 'manager' | 'tenant', TestUser>
type ValidBody = {
  body: (fixture: Fixture) => Record<string, unknown>
  state?: State
  /** The books are open, with a payment in this state. */
  payment?: PaymentState
  /** The lease has ended, and its deposit is in this state. */
  deposit?: DepositState
  /** The tenant has raised a maintenance request. */
  request?: RequestState
  /** The landlord sends it, unless this says so. */
  sender?: 'tenant'
}
/** The time of the bodies' days: the leases lie ahead, and no rent is posted yet. */
export const time = clock(new Date('2026-11-02T06:30:00Z'))
const day = '2026-01-01'
export const profile = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }
/** A valid body for each operation. */
export const validBodies: Record<string, ValidBody> = {
  'POST /auth': { body: () => ({ phone_number: freshPhone() }) },
  'POST /auth/send-otp': { body: () => ({ phone_number: freshPhone() }) },
  'POST /auth/verify': { body: ({ owner }) => ({ phone_number: owner.phone, otp: '123456' }) },
  'POST /auth/login': {
    body: ({ owner }) => ({ phone_number: owner.phone, password: 'a password of hers' }),
  },
  'POST /auth/logout': { body: () => ({ all: true }) },
  'DELETE /auth/me': { body: () => ({ otp: '123456' }) },
  'PUT /profile/complete': { body: () => ({ ...profile, password: 'another password' }) },
  'POST /profile/ekyc': { body: () => ({}) },
  'POST /profile/ekyc/complete': { body: ({ signature_id }) => ({ verification_id: signature_id }) },
  'POST /properties': {
    body: () => ({
      pin_code: 560048,
      property_type: 'pg',
      property_units: [{ unit_name: 'A' }, { unit_name: 'B' }],
    }),
  },
  'PATCH /properties/:id': { body: () => ({ locality: 'Whitefield' }) },
  'POST /properties/:id/units': { body: () => ({ unit_name: 'B' }) },
  'PATCH /properties/:id/units/:unitId': { body: () => ({ unit_notes: 'painted' }) },
  'POST /tenants': { body: () => ({ phone_number: freshPhone() }) },
  'POST /operations/invitations': { body: () => ({ phone_number: freshPhone(), ...profile }) },
  'POST /agreements': { body: ({ unit, tenant }) => agreementTerms(unit.id, [tenant.id]) },
  'PATCH /agreements/:id': { body: () => ({ rent_amount: 12_345 }) },
  'POST /agreements/:id/sign': {
    body: ({ owner }) => ({
      signer_id: owner.id,
      flexi_options: {
        template_id: 't',
        signature_position: { page_number: 1, x: 1, y: 1, width: 1, height: 1 },
      },
    }),
  },
  'POST /agreements/:id/revise': { state: 'PENDING', body: () => ({ rent_amount: 12_345 }) },
  'POST /agreements/:id/decline': { state: 'PENDING', body: () => ({ reason: 'moved' }) },
  'POST /agreements/:id/terminate': { state: 'PENDING', body: () => ({ reason: 'moved' }) },
  'POST /agreements/:id/charges': {
    payment: 'posted',
    body: () => ({ type: 'water', amount: 300, due_date: '2026-12-10' }),
  },
  'POST /charges/:id/credits': { payment: 'posted', body: () => ({ amount: 1, reason: 'waiver' }) },
  'POST /agreements/:id/payments': {
    payment: 'posted',
    body: () => ({ amount: 500, method: 'cash', paid_on: day }),
  },
  'POST /agreements/:id/refunds': {
    payment: 'posted',
    body: () => ({ amount: 500, method: 'cash', refunded_on: day }),
  },
  'POST /payments/:id/confirm': { payment: 'reported', body: () => ({ allow_duplicate: true }) },
  'POST /payments/:id/reject': { payment: 'reported', body: () => ({ reason: 'not seen' }) },
  'POST /payments/:id/clear': { payment: 'pending', body: () => ({ cleared_on: day }) },
  'POST /payments/:id/bounce': { payment: 'pending', body: () => ({ charge_amount: 500 }) },
  'POST /payments/:id/reverse': { payment: 'posted', body: () => ({ reason: 'a mistake' }) },
  'POST /agreements/:id/rent-revisions': {
    payment: 'posted',
    body: () => ({ rent_amount: 26_000, effective_on: '2027-04-01' }),
  },
  'POST /agreements/:id/renew': { state: 'ACTIVE', body: () => ({ tenure_in_months: 6 }) },
  'POST /agreements/:id/deposit/settlement': {
    payment: 'posted',
    deposit: 'held',
    body: () => ({ ...settlementInput }),
  },
  'POST /agreements/:id/deposit/settlement/accept': {
    payment: 'posted',
    deposit: 'proposed',
    sender: 'tenant',
    body: ({ settlement_id }) => ({ settlement_id }),
  },
  'POST /agreements/:id/deposit/settlement/dispute': {
    payment: 'posted',
    deposit: 'proposed',
    sender: 'tenant',
    body: ({ settlement_id }) => ({ settlement_id, reason: 'too much' }),
  },
  'POST /agreements/:id/deposit/settlement/post': {
    payment: 'posted',
    deposit: 'accepted',
    body: () => ({ reference: 'UTR1' }),
  },
  'POST /maintenance-requests': { state: 'ACTIVE', body: ({ unit }) => newRequest(unit.id) },
  'PATCH /maintenance-requests/:id': { request: 'current', body: () => ({ vendor_name: 'Ravi Plumbing' }) },
  'POST /maintenance-requests/:id/status': { request: 'current', body: () => ({ status: 'acknowledged' }) },
  'POST /maintenance-requests/:id/comments': { request: 'current', body: () => ({ text: 'On Tuesday' }) },
  'PATCH /payments/:id': { payment: 'posted', body: () => ({}) },
  'PUT /payments/:id/allocations': {
    payment: 'posted',
    body: ({ charge }) => ({ allocations: [{ charge_id: charge.id, amount: 1000 }] }),
  },
}
