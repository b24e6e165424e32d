import type { ImportedPayment, PaymentImport } from '@kiraya/sdk/contract'
import { finishPosting } from '../books/charges/late-fees'
import { toBookActivity } from '../books/ledger/activities'
import { getPosting } from '../books/ledger/books'
import { consumePostings } from '../books/ledger/posting-cap'
import { settle } from '../books/payments/settling'
import type { Tx } from '../deps'
import { recordActivities } from '../domain/activities'
import { compareDays } from '../domain/dates'
import { results } from '../messages/results'
import { beginImport, endImport } from './import'
import { loadKnownPayments } from './known-payments'
import { planPayments, type PaymentPlan } from './plan-payments'
import { createRowChecks } from './row-checks'

/** Imports payments, all of them or none. Every row is checked before any is written. */
export async function importPayments(tx: Tx, { rows, dry_run }: PaymentImport) {
  const { em } = tx
  await beginImport(tx)
  const posting = getPosting(tx)
  const checks = createRowChecks()
  const plans = planPayments(tx, rows, await loadKnownPayments(tx, rows), checks)
  checks.requireNone()

  const created = plans.filter(({ outcome }) => outcome === 'created')
  const byLease = Map.groupBy(created, ({ lease }) => lease)
  await consumePostings(
    tx,
    [...byLease].map(([{ locked }, some]) => ({ id: locked.agreement.id, uses: some.length })),
  )
  for (const { lease, payment } of created.toSorted((a, b) =>
    compareDays(a.given.paid_on, b.given.paid_on),
  )) {
    em.persist(payment)
    lease.books!.payments.push(payment)
    await settle(posting, lease.books!, payment)
  }
  const allBooks = [...byLease.keys()].map(({ books }) => books!)
  if (allBooks.length > 0) await finishPosting(posting, allBooks)
  const activities = created.map(({ lease }) => toBookActivity(posting, lease.locked, 'payment_posted'))
  await recordActivities(em, posting.now, ...activities)

  const isDry = Boolean(dry_run)
  const imported = plans.map(plan => toImported(plan, isDry))
  return endImport(results.payments_imported, imported, isDry)
}

function toImported({ row, external_ref, outcome, payment }: PaymentPlan, isDry: boolean): ImportedPayment {
  const isHidden = isDry && outcome === 'created'
  return {
    row,
    external_ref,
    outcome,
    payment_id: isHidden ? null : payment.id,
    receipt_number: isHidden ? null : (payment.receipt_number ?? null),
  }
}
