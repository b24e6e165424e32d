import { recordActivity } from './activities'
import { getIndianDate, getNow, pool, refuse, selectAll, selectOne, sha256, type Db, type Row } from './http'
import * as books from './book-queries'

/** Posts a payment of the landlord's side that settles the charges that it names as a whole. */
export const postPayment = (agreementId: number, actorId: number, body: Row) =>
  pool.begin(async tx => {
    const agreement = await lockAgreement(tx, agreementId, actorId)
    const [tenant] = await selectAll(tx, books.selectTenants, agreementId)
    const ledger = await selectOne(tx, books.selectLedger, agreementId)
    const open = await selectAll(tx, books.selectOpenCharges, agreementId)
    await selectAll(tx, books.selectAdvances, agreementId)
    const { landlord_id } = agreement
    const { amount, method, reference, allocations } = body
    const same = await selectAll(tx, books.selectSameReference, landlord_id, method, reference)
    if (same.length) refuse(400)
    requireOpenCharges(open, body)

    const now = getNow()
    const paid_on = getIndianDate()
    const receipt = await getNextReceiptNumber(tx, landlord_id, paid_on)
    const unapplied = allocations.reduce((left: number, each: Row) => left - each.amount, amount)
    const parties = [agreementId, landlord_id, tenant!.tenant_id]
    const values = [amount, method, reference, paid_on, unapplied, receipt, now]
    const payment = await selectOne(tx, books.insertPayment, ...parties, ...values)
    await selectAll(tx, books.updateCharges, JSON.stringify(allocations))
    const journal = { effective_on: paid_on, posted_at: now, actor_id: actorId, payment_id: payment.id }
    await insertJournals(tx, agreement, ledger, journal, body)
    const message = `A payment was posted under the agreement ${agreement.agreement_number}`
    const users = [tenant!.tenant_id]
    await recordActivity(tx, users, 'payment_posted', message, 'agreement', agreementId, actorId)
    const { row } = await selectOne(tx, books.selectPaymentView, payment.id)
    return { message: 'The payment was recorded', data: row }
  })

async function lockAgreement(tx: Db, agreementId: number, actorId: number) {
  const visible = await selectOne(tx, books.selectVisibleAgreement, agreementId, actorId)
  const unit = await selectOne(tx, books.shareUnit, visible.property_unit_id)
  const agreement = await selectOne(tx, books.lockAgreement, agreementId)
  return [agreement.landlord_id, unit.managed_by_id].includes(actorId) ? agreement : refuse(403)
}

function requireOpenCharges(open: Row[], { allocations }: Row) {
  for (const { charge_id, amount } of allocations) {
    const charge = open.find(({ id }) => id === charge_id)
    if (!charge || amount > charge.amount - charge.amount_paid - charge.amount_credited) refuse(400)
  }
}

async function getNextReceiptNumber(tx: Db, landlordId: number, paidOn: string) {
  const firstYear = Number(paidOn.slice(0, 4)) - Number(paidOn.slice(5, 7) < '04')
  const fiscalYear = `${firstYear}-${String(firstYear + 1).slice(2)}`
  const { last_number } = await selectOne(tx, books.incrementReceiptNumber, landlordId, fiscalYear)
  return `RCT-${fiscalYear}-${String(last_number).padStart(6, '0')}`
}

function insertJournals(tx: Db, agreement: Row, ledger: Row, journal: Row, { amount, allocations }: Row) {
  const entries: Row[] = [
    { kind: 'payment', charge_id: null, debited: 'bank', credited: 'advance', amount },
    ...allocations.map((allocation: Row) => ({
      kind: 'allocation',
      debited: 'advance',
      credited: 'receivable',
      ...allocation,
    })),
  ]
  let { length, hash } = ledger
  const rows = entries.map(entry => {
    const row: Row = { agreement_id: agreement.id, position: ++length, ...journal, ...entry }
    hash = sha256(JSON.stringify([hash ?? '', agreement.agreement_id, ...Object.values(row)]))
    return { ...row, hash }
  })
  return selectAll(tx, books.insertJournals, JSON.stringify(rows), agreement.id, length, hash)
}
