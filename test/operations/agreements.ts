import { PDF } from '../support/maintenance-fixture'
import { requireSuccess } from '../support/requests'
import { byUuid, operation, page, row, to, type Needs, type OperationRows } from './row'

export const leaseTerms = {
  agreement_start_date: '$nextMonth',
  tenure_in_months: 11,
  rent_amount: 25000,
  deposit_amount: 100000,
  rent_due_day: 5,
  notice_period_days: 30,
}
const wording = { template: 'residential', language: 'en' }
/** The draft has a lease that is worded from its terms. */
const worded: Needs = {
  prepare: async ({ owner, agreement }) => {
    requireSuccess(await owner.post(`/agreements/${agreement.id}/document`, wording), 'Wording a lease')
    return {}
  },
}
/** The evidence of the parties' signatures. */
const evidence = [row(to.parties, { state: 'ACTIVE' }), row(to.nobody)]

export const agreements: OperationRows = {
  'POST /agreements': operation([401, 404, 201, 201, 404, 404], 'once agreements.create', {
    whole: ['tenant_ids', 'signing_order'],
    body: {
      property_unit_id: '$unit',
      tenant_ids: ['$tenant'],
      document_url: '$lease',
      ...leaseTerms,
      amenities: ['Parking'],
      pets_allowed: true,
    },
  }),
  'GET /agreements': operation(to.signedIn(200), 'query agreements.list', {
    example: { query: { ...page, status: 'ACTIVE', sort: '-agreement_number' } },
    shows: ({ agreement }) => agreement.agreement_id,
    reads: ['', '?limit=1', '?q=AGR', '?status=DRAFT', '?sort=-rent_amount'],
  }),
  'GET /agreements/:id': operation(to.parties, ['none agreements.get', 'other agreements.waitFor'], {
    takes: [undefined],
  }),
  'PATCH /agreements/:id': operation(to.landlordSide, 'body agreements.update', {
    body: { rent_amount: 26500, late_fee: 500 },
    example: { id: '$draft' },
  }),
  'DELETE /agreements/:id': operation(to.landlordSide, 'none agreements.delete', {
    example: { id: '$spareDraft' },
  }),
  'POST /agreements/:id/document': operation(
    [row(to.landlordSideCreates), row(to.landlordSideCreates, { ...byUuid, body: PDF })],
    'key agreements.setDocument',
    { isRepeatable: true, takes: [new Blob(['a PDF'])], body: wording, example: { id: '$worded' } },
  ),
  'GET /agreements/:id/draft.pdf': operation(to.parties, 'none agreements.preview', {
    ...worded,
    example: { id: '$worded' },
  }),
  'GET /documents/:key': operation(to.everyone(404)),
  'POST /agreements/:id/sign': operation(
    [
      row(to.parties, { body: { signer_id: '$tenant' } }),
      row(to.landlordSide, { body: { signer_id: '$landlord' } }),
      row(to.landlordSide, { body: { signer_id: '$manager' } }),
      row([401, 404, 403, 403, 403, 404], { body: { signer_id: '$otherTenant' } }),
    ],
    'once agreements.sign',
    {
      whole: ['page_number'],
      body: {
        signer_id: '$landlord',
        flexi_options: {
          template_id: 't',
          signature_position: { page_number: 1, x: 1, y: 1, width: 1, height: 1 },
        },
      },
      example: { id: '$draft', body: { signer_id: '$landlord' } },
    },
  ),
  'POST /agreements/:id/record': operation(to.landlordSide, 'once agreements.record', {
    body: {
      signed_on: '$lastMonth',
      registration_number: 'BLR-1234/2026',
      stamp_number: 'IN-KA12345678901234X',
    },
    example: { id: '$recordable' },
  }),
  'POST /agreements/:id/acceptance': operation(to.tenantOnly, 'bare agreements.accept', {
    state: 'RECORDED',
    sender: 'tenant',
    example: { id: '$rentedOnPaper' },
  }),
  'POST /agreements/:id/objection': operation([401, 404, 403, 403, 201, 404], 'once agreements.object', {
    state: 'RECORDED',
    sender: 'tenant',
    body: { reason: 'The deposit was 50,000' },
    example: { id: '$rentedOnPaper' },
  }),
  'DELETE /agreements/:id/objection': operation(to.tenantOnly, 'none agreements.withdrawObjection', {
    state: 'RECORDED',
    prepare: async ({ tenant, agreement }) => {
      await tenant.post(`/agreements/${agreement.id}/objection`, { reason: 'The rent is less' })
      return {}
    },
    sender: 'tenant',
    example: { id: '$rentedOnPaper' },
  }),
  'GET /agreements/:id/signatures': operation(to.parties, 'none agreements.signatures'),
  'GET /agreements/:id/timeline': operation(to.parties, 'none agreements.timeline'),
  'GET /agreements/:id/document': operation(evidence, 'query agreements.document'),
  'GET /agreements/:id/certificate': operation(evidence, 'none agreements.certificate'),
  'POST /agreements/:id/decline': operation(
    [
      row(to.parties, { state: 'DRAFT' }),
      row([401, 404, 200, 403, 200, 404], byUuid),
      row([401, 404, 403, 403, 400, 404], { state: 'ACTIVE' }),
    ],
    'once agreements.decline',
    {
      state: 'PENDING',
      body: { reason: 'The deposit is not what we agreed on' },
      example: { id: '$declinable' },
    },
  ),
  'POST /agreements/:id/signatures/:signatureId/cancel': operation(
    to.landlordSide,
    'bare agreements.cancelSignature',
    { state: 'PENDING', example: { id: '$cancellable' } },
  ),
  'POST /agreements/:id/revise': operation([401, 404, 201, 201, 403, 404], 'once agreements.revise', {
    state: 'PENDING',
    body: { rent_amount: 24000 },
    example: { id: '$revisable' },
  }),
  'POST /agreements/:id/terminate': operation(to.landlordSide, 'once agreements.terminate', {
    state: 'PENDING',
    body: { reason: 'The tenant moves to another city' },
  }),
  'POST /agreements/:id/reinstate': operation(to.parties, 'once agreements.reinstate', {
    state: 'ACTIVE',
    prepare: async ({ owner, agreement }) => {
      await owner.post(`/agreements/${agreement.id}/terminate`, {})
      return {}
    },
    body: {},
    example: { id: '$reinstatable' },
  }),
  'POST /agreements/:id/complete': operation(to.landlordSide, 'bare agreements.complete', {
    state: 'TERMINATED',
    example: { id: '$terminated' },
  }),
}

export const renewals: OperationRows = {
  'POST /agreements/:id/renew': operation(to.landlordSideCreates, 'once agreements.renew', {
    state: 'ACTIVE',
    body: { rent_amount: 26250, tenure_in_months: 11 },
    example: { id: '$let' },
  }),
}
