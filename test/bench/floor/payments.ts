import { recordActivities, toActivities } from './activities'
import { getIndianDate, getNow, pool, refuse, selectAll, selectOne, sha256, type Db, type Row } from './http'
import * as agreements from './sql/agreements'
import * as books from './sql/books'

/** Posts a payment of the landlord's side that settles the charges that it names as a whole. */
export const postPayment = (agreementId: number, actorId: number, body: Row) =>
  pool.begin(async tx => {
    const agreement = await lockAgreement(tx, agreementId, actorId)
    const [tenant] = await selectAll(tx, agreements.selectTenants, agreementId)
    const ledger = await selectOne(tx, books.selectLedger, agreementId)
    const open = await selectAll(tx, books.selectOpenCharges, agreementId)
    await selectAll(tx, books.selectAdvances, agreementId)
    await requireUnusedReference(tx, agreement, body)
    requireOpenCharges(open, body)

    const now = getNow()
    const paid_on = getIndianDate()
    const receipt = await getNextReceiptNumber(tx, agreement.landlord_id, paid_on)
    const { landlord_id } = agreement
    const { amount, method, reference, allocations } = body
    const unapplied = allocations.reduce((left: number, each: Row) => left - each.amount, amount)
    const parties = [agreementId, landlord_id, tenant!.tenant_id]
    const values = [amount, method, reference, paid_on, unapplied, receipt, now]
    const payment = await selectOne(tx, books.insertPayment, ...parties, ...values)
    await selectAll(tx, books.updateCharges, JSON.stringify(allocations))
    const journal = { effective_on: paid_on, posted_at: now, actor_id: actorId, payment_id: payment.id }
    await insertJournals(tx, agreement, ledger, journal, body)
    const message = `A payment was posted under the agreement ${agreement.agreement_number}`
    const about = { entity_type: 'agreement', entity_id: agreementId, actor_id: actorId }
    await recordActivities(
      tx,
      toActivities([tenant!.tenant_id], { type: 'payment_posted', message, ...about }),
    )
    const { row } = await selectOne(tx, books.selectPaymentView, payment.id)
    return { message: 'The payment was recorded', data: row }
  })

async function lockAgreement(tx: Db, agreementId: number, actorId: number) {
  const visible = await selectOne(tx, agreements.selectVisibleAgreement, agreementId, actorId)
  const unit = await selectOne(tx, agreements.shareUnit, visible.property_unit_id)
  const agreement = await selectOne(tx, agreements.lockAgreement, agreementId)
  return [agreement.landlord_id, unit.managed_by_id].includes(actorId) ? agreement : refuse(403)
}

async function requireUnusedReference(tx: Db, { landlord_id }: Row, { method, reference }: Row) {
  const [same] = await selectAll(tx, books.selectSameReference, landlord_id, method, reference)
  if (same) refuse(400)
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
    { kind: 'payment', charge_id: null, lines: toLines(['bank', 'advance'], amount) },
    ...allocations.map(({ charge_id, amount: part }: Row) => ({
      kind: 'allocation',
      charge_id,
      lines: toLines(['advance', 'receivable'], part),
    })),
  ]
  let { length, hash } = ledger
  const rows = entries.map(entry => {
    const row: Row = { agreement_id: agreement.id, position: ++length, ...journal, ...entry }
    hash = hashJournal(hash, agreement.agreement_id, row)
    return { ...row, hash }
  })
  return selectAll(tx, books.insertJournals, JSON.stringify(rows), agreement.id, length, hash)
}

const toLines = ([debited, credited]: [string, string], amount: number) => [
  { account: debited, debit: amount, credit: 0 },
  { account: credited, debit: 0, credit: amount },
]

function hashJournal(previous: string | null, agreementId: string, row: Row) {
  const { position, kind, effective_on, posted_at, actor_id, charge_id, payment_id, lines } = row
  const paise = lines.map((line: Row) => [
    line.account,
    Math.round(line.debit * 100),
    Math.round(line.credit * 100),
  ])
  const about = [agreementId, position, kind, effective_on, posted_at, actor_id, charge_id, payment_id]
  return sha256(JSON.stringify([previous ?? '', ...about, null, null, paise]))
}
