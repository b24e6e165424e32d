import { describe, expect, test } from 'bun:test'
import * as contract from '@kiraya/sdk/contract'
import { refuse } from '../../../server/faults'
import { toText, type NamedReason, type ParamsOf } from '../../../server/messages'
import { en } from '../../../server/messages/en'
import { toHindiPhrase } from '../../../server/messages/hi-phrases'
import { results, translateResult } from '../../../server/messages/results'

const DEVANAGARI = /\p{Script=Devanagari}/u
const ENGLISH = /^[\x20-\x7e]+$/

/** Every reason whose sentence depends on something, with an example: a missing one does not compile. */
const examples: { [R in NamedReason as ParamsOf<R> extends undefined ? never : R]: ParamsOf<R> } = {
  agreements_open: { agreements: ['AGR-2026-000001 (ACTIVE)'] },
  allocation_above_charge: { limit: 2500 },
  allocation_above_payment: { limit: 30_000 },
  allocation_leaves_advance: { left: 2500 },
  already_signed: { who: 'you' },
  books_not_open: { status: 'DRAFT' },
  body_too_large: { max_bytes: 65_536 },
  cleared_before_cheque: { date: '2026-12-10' },
  credit_above_charge: { limit: 2500 },
  date_after_lease: { date: '2028-10-31' },
  date_before_books: { date: '2026-12-01' },
  date_before_lease: { date: '2026-12-01' },
  date_in_future: { today: '2026-11-22' },
  date_too_far: { date: '2028-11-22' },
  deposit_held: { agreements: ['AGR-2026-000001'] },
  escalation_too_high: { date: '2027-06-01' },
  document_refused: { rule: 'The address of the document answered 404' },
  landlord_as_tenant: { id: 17 },
  manager_as_tenant: { id: 17 },
  manager_not_nameable: { id: 17, parties: 'named' },
  migrations_missing: { names: ['0009-listings'] },
  not_a_party: { to: 'sign' },
  not_unit_landlord: { to: 'delete' },
  not_your_turn: { awaited_id: 17 },
  onboarding_unfinished: { status: 'NEEDS_PROFILE_COMPLETION' },
  payer_not_self: { id: 17 },
  payer_not_tenant: { ids: [17, 18] },
  payment_wrong_status: { status: 'posted', to_be: 'confirmed' },
  period_ends_before_start: { start: '2026-12-01' },
  pin_code_unknown: { pin_code: 999_999 },
  provider_not_configured: { name: 'setu' },
  provider_unreachable: { provider: 'eKYC' },
  reference_used: { payment_id: 17, is_reported: true },
  refund_above_advance: { limit: 2500 },
  refund_before_payment: { date: '2026-12-01' },
  sandbox_behaviour_unsupported: { provider: 'esign', behaviours: ['error', 'late'] },
  sandbox_call_unsupported: { provider: 'esign', behaviour: 'late', calls: ['webhook'] },
  sandbox_request_closed: { by: 'signed' },
  sandbox_rule_invalid: { expected: 'seconds, at most 3600' },
  signature_not_open: { status: 'signed' },
  signing_order_of_others: { ids: [17, 18] },
  tenant_as_manager: { id: 17, agreement: 'AGR-2026-000001' },
  tenants_declined: { ids: [17, 18] },
  tenants_erased: { ids: [17, 18] },
  tenants_not_nameable: { ids: [17, 18], parties: 'named' },
  termination_before_start: { start: '2026-11-01' },
  termination_in_future: { today: '2026-11-22' },
  too_many_reports: { limit: 20 },
  too_many_open_agreements: { id: 17, limit: 3 },
  units_in_use: { of: 'unit' },
  statement_too_long: { max: 2000 },
  to_before_from: { from: '2027-01-02' },
  money_held: { deposit: 100_000, advance: 2500 },
  payment_above_outstanding: { limit: 2500 },
  payments_undecided: { payments: [12, 13] },
  settlement_replaced: { refund_amount: 97_500 },
  settlement_outdated: { held_amount: 100_000, open_rent: 2500, refund_amount: 97_500 },
  already_renewed: { agreement: 'AGR-2026-000001' },
  revision_decided: { status: 'declined' },
  revision_exists: { date: '2027-01-01' },
  revision_outside_lease: { from: '2026-12-01', to: '2027-10-31' },
  settlement_wrong_status: { status: 'posted', to_be: 'accepted' },
  wrong_status: { status: 'ACTIVE', to_be: 'signed' },
}

/** Numbers, dates and words in capitals are the same in every language. */
const toFixedParts = (sentence: string) => (sentence.match(/\b[A-Z]+(_[A-Z]+)+\b|\d[\d-]*/g) ?? []).toSorted()

describe('each sentence', () => {
  test.each(Object.keys(en) as NamedReason[])('of %s is there in both languages', reason => {
    const params = (examples as Record<string, unknown>)[reason]
    const text = toText(reason, params as ParamsOf<typeof reason>)
    expect(text('en')).toMatch(ENGLISH)
    expect(text('hi')).toMatch(DEVANAGARI)
    expect(text('hi')).not.toContain('undefined')
    expect(toFixedParts(text('hi'))).toEqual(toFixedParts(text('en')))
  })

  test.each(Object.values(results))('of a result is there in both languages: %s', message => {
    expect(message).toMatch(ENGLISH)
    expect(translateResult({ message }, 'hi').message).toMatch(DEVANAGARI)
  })

  test('of different results are different in Hindi too', () => {
    const hindi = Object.values(results).map(message => translateResult({ message }, 'hi').message)
    expect(hindi.filter((sentence, index) => hindi.indexOf(sentence) !== index)).toEqual([])
  })

  test('of a fault is English in the log', () => {
    expect(refuse('provider_unreachable', { provider: 'eKYC' }).message).toBe(
      'The eKYC provider cannot be reached',
    )
  })
})

describe('the descriptions of the contract', () => {
  const descriptions = new Set(Object.values(contract).flatMap(listDescriptions))

  function listDescriptions(schema: unknown): string[] {
    if (typeof schema !== 'object' || schema === null) return []
    const own = 'description' in schema && typeof schema.description === 'string' ? [schema.description] : []
    return [...own, ...Object.values(schema).flatMap(listDescriptions)]
  }

  test('are found', () => {
    expect(descriptions.size).toBeGreaterThan(30)
  })

  // A name or a value of the API is no sentence.
  test.each([...descriptions].filter(text => !['true', 'a UUID'].includes(text)))('%s', english => {
    const hindi = toHindiPhrase(english)
    expect(hindi).toMatch(DEVANAGARI)
    expect(hindi).not.toMatch(/\b(of|at least|at most|more|than|with|from|to|an?)\b/)
  })
})
