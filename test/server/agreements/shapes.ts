import { expect } from 'bun:test'
import { TIMESTAMP, UUID } from '../http/forms'

/** An agreement exactly as it is answered. */
export const agreementShape = (more: Record<string, unknown> = {}) => ({
  id: expect.any(Number), agreement_id: UUID, agreement_number: expect.stringMatching(/^AGR-\d{4}-\d{6}$/), document_url: 'https://example.com/lease.pdf', property_unit_id: expect.any(Number), landlord_id: expect.any(Number), tenant_ids: expect.any(Array),
  agreement_start_date: '2026-12-01', agreement_end_date: '2027-10-31', tenure_in_months: 11, auto_renew: false, rent_amount: 25000, deposit_amount: 100000, rent_due_day: 5, notice_period_days: 30, status: 'DRAFT', amenities: null,
  pets_allowed: false, non_veg_allowed: false, smoking_allowed: false, bachelor_allowed: false, additional_policies: null, improvements: null, signed_date: null, termination_date: null, termination_reason: null, payment_terms: null, late_fee: null, signing_order: null, revises_agreement_id: null,
  is_active: true, created_at: TIMESTAMP, updated_at: TIMESTAMP, ...more,
})
export const answered = (data: unknown) => ({ success: true, message: expect.any(String), data })

const day = [null, 1, '', '01-12-2026', '2026-1-1', '2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-12-32', '0000-01-01', '0001-01-01', '9999-12-31', '-2026-12-01', '2026-12-01T00:00:00Z', ' 2026-12-01', 'today', {}]
const text = ['', '  ', 1, true, [], 'x'.repeat(5001), 'a\0b', '\ud800']
const money = [-1, -0.01, 0.001, 1.005, 25000.555, 10_000_000_000, 1e300, '25000', true, [], {}]
/** What a create and a change refuse, by field. */
export const wrong: Record<string, unknown[]> = {
  property_unit_id: [null, 0, -1, 1.5, '1', 2_147_483_648, 2 ** 53, [], true],
  document_url: [null, '', 'lease.pdf', 'ftp://example.com/x', 'javascript:alert(1)', 'http://', 'https://user:password@example.com/x', 'https://example.com/a b', 1, `https://example.com/${'x'.repeat(2048)}`],
  agreement_start_date: day,
  tenure_in_months: [null, 0, -1, 601, 1.5, '11', true],
  rent_amount: [null, 0, ...money],
  deposit_amount: money,
  late_fee: money,
  rent_due_day: [null, 0, 32, -1, 5.5, '5'],
  notice_period_days: [null, -1, 3651, 0.5, '30'],
  tenant_ids: [null, [], 'x', 1, {}, [null], ['1'], [0], [1.5], [2_147_483_648]],
  agreement_number: ['', ' ', 1, 'x'.repeat(101), 'a\0'],
  amenities: ['x', [1], [''], [null], Array(101).fill('x'), ['x'.repeat(256)]],
  additional_policies: text,
  improvements: text,
  payment_terms: text,
  ...Object.fromEntries(['auto_renew', 'pets_allowed', 'non_veg_allowed', 'smoking_allowed', 'bachelor_allowed'].map(name => [name, ['true', 1, [], {}]])),
}
/** What both accept. */
export const right: Record<string, unknown[]> = {
  document_url: ['http://example.com', 'https://example.com/%E0%A4%95?x=1#y'],
  agreement_start_date: ['2024-02-29', '1999-12-31', '2050-01-01'],
  tenure_in_months: [1, 600],
  rent_amount: [0.01, 1, 19.99, 1.1, 9_999_999_999.99, 123456.78],
  deposit_amount: [0, 0.1, 9_999_999_999.99, null],
  late_fee: [0, 250.5, null],
  rent_due_day: [1, 31],
  notice_period_days: [0, 3650],
  agreement_number: ['2026/17', 'करार-१', 'x'.repeat(100)],
  amenities: [[], ['lift', 'null', ' a ', '{"b"}', '\\'], Array(100).fill('x'), null],
  additional_policies: ['x'.repeat(5000), 'No\nloud\tmusic', null],
  improvements: ['Paint', null],
  payment_terms: ['UPI', null],
  ...Object.fromEntries(['auto_renew', 'pets_allowed', 'non_veg_allowed', 'smoking_allowed', 'bachelor_allowed'].map(name => [name, [true, false]])),
}
