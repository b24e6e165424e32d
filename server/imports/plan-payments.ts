import type { PaymentRow } from '@kiraya/sdk/contract'
import { Payment } from '../../db/entities'
import { requirePaymentInput } from '../books/payments/rules'
import { requireOutstanding } from '../books/payments/settling'
import type { Tx } from '../deps'
import { toIndianDate } from '../domain/dates'
import { toPaise } from '../domain/money'
import { toSha256 } from '../domain/sha256'
import { refuseFields } from '../errors'
import { toReferenceKey, type KnownPayments, type PayableLease } from './known-payments'
import { requireNew, type RowChecks } from './row-checks'

export type PaymentPlan = {
  row: number
  given: PaymentRow
  external_ref: string
  lease: PayableLease
  payment: Payment
  outcome: 'created' | 'kept'
}

/** Says what comes of each row, and checks it; nothing is written. Rows of unknown leases are left out. */
export function planPayments(tx: Tx, rows: PaymentRow[], known: KnownPayments, checks: RowChecks) {
  const [references, refs, counts] = [new Set(known.references), new Set<string>(), new Map<string, number>()]
  return rows.flatMap((given, row): PaymentPlan[] => {
    const check = <T>(rule: () => T) => checks.check(row, '', rule)
    const lease = check(() => requireLease(known.leases, given))
    if (!lease) return []
    const external_ref = given.external_ref ?? toDerivedRef(counts, given, lease)
    check(() => requireNew(refs, external_ref, 'external_ref'))
    const payer_id = check(() => requirePayer(lease, given))
    const stored = known.payments.get(external_ref)
    if (stored) {
      check(() => requireSame(stored, { ...given, payer_id }, lease))
      return [{ row, given, external_ref, lease, payment: stored, outcome: 'kept' }]
    }
    const payment = check(() => {
      requireAfterOpening(lease, given)
      requireNewReference(references, given)
      return createPlannedPayment(tx, { given, lease, payer_id, external_ref })
    })
    return payment ? [{ row, given, external_ref, lease, payment, outcome: 'created' }] : []
  })
}

/** @throws VALIDATION_ERROR The landlord has no such lease, several, or one that was never ACTIVE. */
function requireLease(leases: KnownPayments['leases'], { lease: name }: PaymentRow) {
  const [lease, another] = leases(name)
  if (!lease) throw refuseFields('lease_unknown', 'lease')
  if (another) throw refuseFields('name_of_several', 'lease')
  if (!lease.books)
    throw refuseFields('lease_without_books', 'lease', { status: lease.locked.agreement.status })
  return lease
}

/** Names a payment by what its row says, and by how many such rows stand before it. */
function toDerivedRef(counts: Map<string, number>, given: PaymentRow, { locked }: PayableLease) {
  const { paid_on, amount, method, reference } = given
  const said = JSON.stringify([locked.agreement.agreement_id, paid_on, amount, method, reference ?? null])
  const count = counts.get(said) ?? 0
  counts.set(said, count + 1)
  return toSha256(`${said} ${count}`)
}

function requirePayer({ tenants }: PayableLease, { payer_phone }: PaymentRow) {
  const payer = payer_phone
    ? tenants.find(({ phone }) => phone === payer_phone)
    : tenants.length === 1 && tenants[0]
  if (!payer) throw refuseFields('payer_phone_not_tenant', 'payer_phone')
  return payer.id
}

/** @throws VALIDATION_ERROR What was paid until then is in the opening. */
function requireAfterOpening({ locked }: PayableLease, { paid_on }: PaymentRow) {
  const date = locked.agreement.opening?.settled_until
  if (date && paid_on <= date) throw refuseFields('payment_in_opening', 'paid_on', { date })
}

function requireNewReference(references: Set<string>, given: PaymentRow) {
  const key = toReferenceKey(given)
  if (!key) return
  if (references.has(key))
    throw refuseFields('reference_used', 'reference', { payment_id: null, is_reported: false })
  references.add(key)
}

type NewImported = Pick<PaymentPlan, 'given' | 'lease' | 'external_ref'> & { payer_id: number | undefined }

function createPlannedPayment({ em, actor, now }: Tx, { given, lease, payer_id, external_ref }: NewImported) {
  const { locked, books } = lease
  const { amount, method, paid_on, reference, tds_amount } = given
  // Of a payer who is refused, the other rules are checked too.
  const input = { amount, method, paid_on, reference, tds_amount, payer_id: payer_id ?? lease.tenants[0]!.id }
  const paid = requirePaymentInput(locked, actor, input, toIndianDate(now()), true)
  lease.planned += toPaise(paid.amount) + toPaise(paid.tds_amount)
  requireOutstanding(books!, lease.planned)
  const { id, landlord_id } = locked.agreement
  const posted = { agreement_id: id, landlord_id, external_ref, status: 'posted' as const }
  const cleared_on = paid.method === 'cheque' ? paid.paid_on : null
  return em.create(Payment, { ...paid, ...posted, cleared_on }, { persist: false })
}

/** @throws VALIDATION_ERROR The row says something else than the payment that it repeats. */
function requireSame(stored: Payment, given: PaymentRow & { payer_id?: number }, { locked }: PayableLease) {
  const { amount, method, paid_on, reference = null, tds_amount } = given
  const said = { amount, method, paid_on, reference, tds_amount: tds_amount ?? 0 }
  const differing: string[] = Object.entries(said)
    .filter(([name, value]) => value !== stored[name as keyof typeof said])
    .map(([name]) => name)
  if (stored.agreement_id !== locked.agreement.id) differing.push('lease')
  if (given.payer_id && given.payer_id !== stored.payer_id) differing.push('payer_phone')
  if (differing.length > 0) throw refuseFields('payment_is_fixed', differing)
}
