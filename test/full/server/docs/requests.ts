import type { ExampleRequest } from './fill-request'
import { picture } from './maintenance-records'
import { leaseTerms, PASSWORD_HASH } from './records'

const page = { page: 1, limit: 20 }
const keyed = { 'Idempotency-Key': '$key' }
const ofAgreement = (record: string) => ({ params: { id: record } })
const ofRepair = { params: { id: '$repair' } }
const ofUnit = (record: string) => ({ params: { id: '$property', unitId: record } })

/** One request to each operation, in an order in which all succeed; `$name` is a record. */
export const exampleRequests: Record<string, ExampleRequest> = {
  'GET /health': {},
  'GET /health/live': {},
  'GET /health/ready': {},
  'POST /auth': { body: { phone_number: '$phone' } },
  'POST /auth/send-otp': { body: { phone_number: '$phone' } },
  'POST /auth/verify': { body: { phone_number: '$phone', otp: '$otp' } },
  'POST /auth/login': { body: { phone_number: '$phone', password: PASSWORD_HASH } },
  'GET /auth/me': {},
  'PUT /profile/complete': {
    body: { first_name: 'Asha', last_name: 'Rao', email: 'asha.rao@example.com' },
  },
  'POST /profile/ekyc': { headers: keyed, body: {} },
  'POST /sandbox/control/checks/{id}': { params: { id: '$check' }, body: { outcome: 'approve' } },
  'POST /webhooks/ekyc': { body: { data: { id: '$check' } } },
  'POST /profile/ekyc/complete': { body: { verification_id: '$verification' } },
  'POST /properties': {
    headers: keyed,
    body: {
      pin_code: 560038,
      property_type: 'independent_house',
      society_building: 'Lotus Villa',
      road_name: '12th Main Road',
      locality: 'Indiranagar',
      landmark: 'Opposite the metro station',
      common_amenities: ['Parking', 'Power backup'],
      property_units: [{ unit_name: 'Ground floor', room_type: '3bhk', furnishing_type: 'semi_furnished' }],
    },
  },
  'GET /properties': { query: { ...page, sort: '-created_at' } },
  'GET /properties/search': { query: { name: 'White House', pin_code: 560048 } },
  'GET /properties/{id}': { params: { id: '$property' } },
  'PATCH /properties/{id}': { params: { id: '$property' }, body: { landmark: 'Near the lake' } },
  'DELETE /properties/{id}': { params: { id: '$spareProperty' } },
  'POST /properties/{id}/units': {
    params: { id: '$property' },
    headers: keyed,
    body: { unit_name: 'B-201', room_type: '2bhk', area_sqft: 1150.5, floor_number: 2 },
  },
  'GET /properties/{id}/units': { params: { id: '$property' }, query: { ...page, is_available: true } },
  'GET /properties/{id}/units/{unitId}': ofUnit('$unit'),
  'PATCH /properties/{id}/units/{unitId}': { ...ofUnit('$unit'), body: { unit_notes: 'Freshly painted' } },
  'DELETE /properties/{id}/units/{unitId}': ofUnit('$spareUnit'),
  'POST /properties/{id}/units/{unitId}/resign': {
    params: { id: '$managedProperty', unitId: '$managedUnit' },
  },
  'POST /tenants': {
    headers: keyed,
    body: { phone_number: '$tenantPhone', first_name: 'Vikram', last_name: 'Nair' },
  },
  'GET /tenants': { query: page },
  'POST /agreements': {
    headers: keyed,
    body: {
      property_unit_id: '$free',
      tenant_ids: ['$tenant'],
      document_url: '$lease',
      ...leaseTerms,
      amenities: ['Parking'],
      pets_allowed: true,
    },
  },
  'GET /agreements': { query: { ...page, status: 'ACTIVE', sort: '-created_at' } },
  'GET /agreements/{id}': ofAgreement('$active'),
  'PATCH /agreements/{id}': { ...ofAgreement('$draft'), body: { rent_amount: 26500, late_fee: 500 } },
  'DELETE /agreements/{id}': ofAgreement('$spareDraft'),
  'POST /agreements/{id}/sign': {
    ...ofAgreement('$draft'),
    headers: keyed,
    body: { signer_id: '$landlord' },
  },
  'GET /agreements/{id}/signatures': ofAgreement('$active'),
  'GET /agreements/{id}/timeline': ofAgreement('$active'),
  'GET /agreements/{id}/document': ofAgreement('$active'),
  'GET /agreements/{id}/certificate': ofAgreement('$active'),
  'POST /agreements/{id}/decline': {
    ...ofAgreement('$declinable'),
    body: { reason: 'The deposit is not what we agreed on' },
  },
  'POST /agreements/{id}/signatures/{signatureId}/cancel': {
    params: { id: '$cancellable', signatureId: '$signature' },
  },
  'POST /agreements/{id}/revise': {
    ...ofAgreement('$revisable'),
    headers: keyed,
    body: { rent_amount: 24000 },
  },
  'GET /agreements/{id}/schedule': ofAgreement('$let'),
  'GET /charges': { query: { ...page, type: 'rent', pending: true, sort: 'due_date' } },
  'GET /charges/{id}': { params: { id: '$charge' } },
  'POST /agreements/{id}/charges': {
    ...ofAgreement('$let'),
    headers: keyed,
    body: {
      type: 'electricity',
      amount: 1430,
      due_date: '$dueDate',
      description: 'Electricity of this month',
      period_start: '$monthStart',
      period_end: '$monthEnd',
    },
  },
  'POST /charges/{id}/credits': {
    params: { id: '$charge' },
    headers: keyed,
    body: { amount: 500, reason: 'waiver' },
  },
  'GET /payments': { query: { ...page, status: 'posted', sort: '-paid_on' } },
  'GET /payments/{id}': { params: { id: '$paid' } },
  'GET /payments/{id}/receipt': { params: { id: '$paid' } },
  'GET /agreements/{id}/statement': { ...ofAgreement('$let'), query: { year: '$financialYear' } },
  'GET /agreements/{id}/statement/pdf': { ...ofAgreement('$let'), query: { year: '$financialYear' } },
  'GET /agreements/{id}/rent-proof': { ...ofAgreement('$let'), query: { year: '$financialYear' } },
  'PATCH /payments/{id}': { params: { id: '$taxed' }, body: { tds_certificate_number: 'ABCD1234E' } },
  'PUT /payments/{id}/allocations': {
    params: { id: '$paid' },
    body: { allocations: [{ charge_id: '$charge', amount: 4000 }] },
  },
  'POST /agreements/{id}/payments': {
    ...ofAgreement('$let'),
    headers: keyed,
    body: { amount: 25000, method: 'upi', reference: '432156789099' },
  },
  'POST /payments/{id}/confirm': { params: { id: '$reported' }, headers: keyed, body: {} },
  'POST /payments/{id}/reject': {
    params: { id: '$doubtful' },
    headers: keyed,
    body: { reason: 'It did not arrive' },
  },
  'POST /payments/{id}/clear': { params: { id: '$cheque' }, headers: keyed, body: {} },
  'POST /payments/{id}/bounce': {
    params: { id: '$badCheque' },
    headers: keyed,
    body: { reason: 'Insufficient funds', charge_amount: 500 },
  },
  'POST /payments/{id}/reverse': {
    params: { id: '$mistaken' },
    headers: keyed,
    body: { reason: 'Entered for the wrong lease' },
  },
  'POST /agreements/{id}/refunds': {
    ...ofAgreement('$let'),
    headers: keyed,
    body: { amount: 1000, method: 'upi', reference: '432156789100' },
  },
  'POST /maintenance-requests': {
    headers: keyed,
    body: {
      property_unit_id: '$repairedUnit',
      category: 'electrical',
      priority: 'high',
      title: 'The geyser trips the fuse',
      description: 'Each time it heats for more than ten minutes',
    },
  },
  'GET /maintenance-requests': { query: { ...page, open: true, sort: '-id' } },
  'GET /maintenance-requests/{id}': ofRepair,
  'PATCH /maintenance-requests/{id}': {
    ...ofRepair,
    body: {
      vendor_name: 'Ravi Plumbing Works',
      vendor_phone: '9845012345',
      scheduled_at: '$visitAt',
      cost: 850,
      borne_by: 'tenant',
    },
  },
  'POST /maintenance-requests/{id}/status': {
    ...ofRepair,
    headers: keyed,
    body: { status: 'in_progress', comment: 'The plumber brings a new washer' },
  },
  'GET /maintenance-requests/{id}/comments': { ...ofRepair, query: page },
  'POST /maintenance-requests/{id}/comments': {
    ...ofRepair,
    headers: keyed,
    body: { text: 'The tap is three years old, still under warranty', is_internal: true },
  },
  'POST /maintenance-requests/{id}/attachments': { ...ofRepair, headers: keyed, body: picture },
  'GET /maintenance-requests/{id}/attachments/{attachmentId}': {
    params: { id: '$repair', attachmentId: '$picture' },
  },
  'DELETE /maintenance-requests/{id}/attachments/{attachmentId}': {
    params: { id: '$repair', attachmentId: '$sparePicture' },
  },
  'GET /sandbox/control': {},
  'GET /sandbox/messages': { query: { phone: '$phone' } },
  'POST /sandbox/control/signatures/{id}': { params: { id: '$signing' }, body: { outcome: 'sign' } },
  'POST /sandbox/control/faults': {
    body: { provider: 'esign', behaviour: 'late', on: 'webhook', delay_ms: 60000, match: '$tenantPhone' },
  },
  'DELETE /sandbox/control/faults/{id}': { params: { id: '$fault' } },
  'DELETE /sandbox/control/faults': {},
  'POST /sandbox/control/clock': { body: { advance_ms: 3600000 } },
  'POST /sandbox/control/ekyc': { body: { mode: 'auto' } },
  'GET /dashboard': {},
  'POST /agreements/{id}/terminate': {
    ...ofAgreement('$active'),
    body: { reason: 'The tenant moves to another city' },
  },
  'POST /agreements/{id}/complete': ofAgreement('$terminated'),
  'POST /webhooks/esign': {
    headers: { 'x-setu-signature': '$webhookSignature' },
    body: '$webhook',
  },
  'GET /metrics': {},
  'GET /operations/webhooks': { query: { ...page, state: 'done' } },
  'POST /operations/webhooks/{id}/replay': { params: { id: '$receivedWebhook' } },
  'GET /operations/jobs': {},
  'POST /operations/invitations': {
    body: {
      phone_number: '9812345670',
      first_name: 'Meera',
      last_name: 'Pillai',
      email: 'meera.pillai@example.com',
    },
  },
  'GET /operations/invitations': { query: { ...page, status: 'open' } },
  'DELETE /operations/invitations/{id}': { params: { id: '$invitation' } },
  'GET /agreements/{id}/deposit': ofAgreement('$accepted'),
  'GET /agreements/{id}/deposit/settlement/pdf': ofAgreement('$accepted'),
  'POST /agreements/{id}/deposit/settlement': {
    ...ofAgreement('$ended'),
    headers: keyed,
    body: {
      deductions: [
        { type: 'electricity', description: 'Electricity of the last month', amount: 1430 },
        { type: 'damage', description: 'Painting', amount: 12000 },
      ],
      refund_method: 'bank_transfer',
    },
  },
  'POST /agreements/{id}/deposit/settlement/dispute': {
    ...ofAgreement('$rentedEnded'),
    headers: keyed,
    body: { settlement_id: '$proposal', reason: 'The walls were not painted when I moved in' },
  },
  'POST /agreements/{id}/deposit/settlement/accept': {
    ...ofAgreement('$rentedEnded'),
    headers: keyed,
    body: { settlement_id: '$proposal' },
  },
  'POST /agreements/{id}/deposit/settlement/post': {
    ...ofAgreement('$accepted'),
    headers: keyed,
    body: { reference: '432156789123' },
  },
  'GET /agreements/{id}/rent-revisions': ofAgreement('$rented'),
  'POST /agreements/{id}/rent-revisions': {
    ...ofAgreement('$let'),
    headers: keyed,
    body: { rent_amount: 27500, effective_on: '$revisionDate' },
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/accept': {
    params: { id: '$rented', revisionId: '$acceptableRevision' },
    headers: keyed,
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/decline': {
    params: { id: '$rented', revisionId: '$declinableRevision' },
    headers: keyed,
  },
  'POST /agreements/{id}/rent-revisions/{revisionId}/withdraw': {
    params: { id: '$let', revisionId: '$withdrawableRevision' },
    headers: keyed,
  },
  'POST /agreements/{id}/renew': {
    ...ofAgreement('$let'),
    headers: keyed,
    body: { rent_amount: 26250, tenure_in_months: 11 },
  },
  'GET /agreements/{id}/tds': { ...ofAgreement('$let'), query: { year: '$financialYear' } },
  'GET /books/summary': { query: { from: '$lastMonth', to: '$nextMonthEnd' } },
  'GET /books/rent-roll': { query: { month: '$month' } },
  'GET /books/arrears': {},
  'GET /books/annual': { query: { year: '$financialYear' } },
  'GET /auth/me/export': {},
  'POST /auth/logout': { body: { all: false } },
  'DELETE /auth/me': { body: { otp: '$otp' } },
}
