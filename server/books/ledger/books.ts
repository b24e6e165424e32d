import type { EntitySchema } from '@mikro-orm/core'
import { sql } from 'kysely'
import { executeCompiled, findEntities } from '../../../db/compiled-queries'
import type { Db, EntityManager } from '../../../db/database'
import { Charge, Payment, type Agreement, type Ledger } from '../../../db/entities'
import type { Actor, Deps } from '../../deps'
import { toIndianDate } from '../../domain/dates'
import { sumPaise, toPaise } from '../../domain/money'
import { refuse } from '../../errors'
import { postJournals, type NewJournal } from './journals'

/** The part of a payment that settles a charge, in paise, by the journal that posted it. */
export type LiveAllocation = { journal_id: number; payment: Payment; charge: Charge; amount: number }

type Records = { charges: Charge; payments: Payment }
type OpenRecords = { [Kind in keyof Records]: Records[Kind][] }

/**
 * The books of an agreement whose row is locked. Postings change them in memory, and `saveBooks` writes them.
 * `charges`, `payments` and `allocations` are those that are open: others are loaded by their ids.
 */
export type Books = OpenRecords & {
  agreement: Agreement
  ledger: Ledger
  allocations: LiveAllocation[]
  journals: NewJournal[]
}

/** The transaction in which is posted, who posts, when, and the day in India on which that is. */
export type Posting = { em: EntityManager; now: Date; today: string; actorId: number | null }

type PostingTx = Pick<Deps, 'now'> & { em: EntityManager; actor?: Pick<Actor, 'id'> }

/** Returns who posts now; the system does if there is no actor. */
export function getPosting({ em, actor, now: getNow }: PostingTx): Posting {
  const now = getNow()
  return { em, now, today: toIndianDate(now), actorId: actor?.id ?? null }
}

/** The same in the name of the system. */
export const toSystem = (posting: Posting): Posting => ({ ...posting, actorId: null })

/** The day on which a journal takes effect, and who posts it. */
export type When = { effectiveOn: string; actorId: number | null }

/** Returns when something is posted that takes effect today, or on another day. */
export function toWhen({ today, actorId }: Pick<Posting, 'today' | 'actorId'>, effectiveOn = today): When {
  return { effectiveOn, actorId }
}

/** Loads what is open in the books of locked agreements: charges with something outstanding, and advances. */
export async function loadBooks(em: EntityManager, agreements: Agreement[]): Promise<Books[]> {
  const ids = agreements.map(({ id }) => id)
  const ledgers = await executeCompiled(em, selectLedgers, { ids })
  const charges = await findEntities(em, Charge, selectOpenCharges, { ids })
  const payments = await findEntities(em, Payment, selectAdvances, { ids })
  const byId = new Map(agreements.map(agreement => [agreement.id, agreement]))
  return ledgers.map(ledger => ({
    ...createBooks(byId.get(ledger.agreement_id)!, ledger),
    charges: charges.filter(({ agreement_id }) => agreement_id === ledger.agreement_id),
    payments: payments.filter(({ agreement_id }) => agreement_id === ledger.agreement_id),
  }))
}

/** Returns books with nothing open. */
export function createBooks(agreement: Agreement, ledger: Ledger): Books {
  return { agreement, ledger, charges: [], payments: [], allocations: [], journals: [] }
}

/** @throws FORBIDDEN The agreement was never active, so it has no books, or it is void. */
export async function getBooks(em: EntityManager, agreement: Agreement): Promise<Books> {
  const [books] = await loadBooks(em, [agreement])
  const { status, voided_on } = agreement
  if (!books || voided_on) throw refuse('books_not_open', { status: voided_on ? 'VOID' : status })
  return books
}

/** Finds charges or payments of the books by their ids, and adds those that are not open. */
export async function findRecords<Kind extends keyof Records>(
  em: EntityManager,
  books: Books,
  kind: Kind,
  ids: number[],
): Promise<(Records[Kind] | undefined)[]> {
  const open: OpenRecords = books
  const known: Records[Kind][] = open[kind]
  const missing = ids.filter(id => !known.some(record => record.id === id))
  if (missing.length > 0) {
    const given = { ids: missing, agreementId: books.agreement.id }
    known.push(...(await findEntities(em, entities[kind], selectByIds[kind], given)))
  }
  return ids.map(id => known.find(record => record.id === id))
}

/** Adds the live allocations of a payment or a charge, with the charges and payments that they join. */
export async function loadAllocations(
  em: EntityManager,
  books: Books,
  of: { paymentId?: number; chargeId?: number },
) {
  const rows = await executeCompiled(em, selectAllocations, of)
  const unknown = rows.filter(row => !books.allocations.some(known => known.journal_id === row.journal_id))
  const chargeIds = unknown.map(({ charge_id }) => charge_id)
  const paymentIds = unknown.map(({ payment_id }) => payment_id)
  const charges = await findRecords(em, books, 'charges', chargeIds)
  const payments = await findRecords(em, books, 'payments', paymentIds)
  for (const [index, { journal_id, amount }] of unknown.entries()) {
    const [charge, payment] = [charges[index]!, payments[index]!]
    books.allocations.push({ journal_id, charge, payment, amount: toPaise(Number(amount)) })
  }
}

/** Writes changed and new charges and payments, then the journals, which name them. */
export async function saveBooks({ em, now }: Posting, ...allBooks: Books[]) {
  await em.flush()
  await postJournals(em, now, allBooks)
}

/** What is left to pay of a charge, in paise. */
export function getOutstanding({ amount, amount_paid, amount_credited }: Charge) {
  return toPaise(amount) - toPaise(amount_paid) - toPaise(amount_credited)
}

/** Whether something of a charge is left to pay. */
export const isOpen = (charge: Charge) => getOutstanding(charge) > 0

/**
 * Returns how much of a charge can still be credited, in paise: what is open, and what payments settled. What the
 * deposit settled is final, and so is what is paid of a closed lease, which holds no advance. Load the charge's
 * allocations first.
 */
export function getCreditable(books: Books, charge: Charge) {
  if (books.agreement.status === 'COMPLETED') return getOutstanding(charge)
  const live = books.allocations.filter(allocation => allocation.charge === charge)
  return getOutstanding(charge) + sumPaise(live.map(({ amount }) => amount))
}

function selectLedgers(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('ledgers')
    .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
    .orderBy('agreement_id')
    .select(['agreement_id', 'starts_on', 'length', 'hash', 'next_posting_on', 'deposit_held'])
}

function selectOpenCharges(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('charges')
    .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
    .where(sql<boolean>`amount > amount_paid + amount_credited`)
    .orderBy('id')
}

function selectAdvances(db: Db, { ids }: { ids: number[] }) {
  return db
    .selectFrom('payments')
    .where(sql<boolean>`agreement_id = any(${ids}::int[])`)
    .where(sql<boolean>`unapplied_amount > 0`)
    .orderBy('paid_on')
    .orderBy('id')
}

const entities: { [Kind in keyof Records]: EntitySchema<Records[Kind]> } = {
  charges: Charge,
  payments: Payment,
}

const toSelectByIds =
  (table: keyof Records) =>
  (db: Db, { ids, agreementId }: { ids: number[]; agreementId: number }) =>
    db
      .selectFrom(table)
      .where('agreement_id', '=', agreementId)
      .where(sql<boolean>`id = any(${ids}::int[])`)

const selectByIds = { charges: toSelectByIds('charges'), payments: toSelectByIds('payments') }

function selectAllocations(db: Db, { paymentId, chargeId }: { paymentId?: number; chargeId?: number }) {
  let allocations = db
    .selectFrom('payment_allocations')
    .orderBy('journal_id')
    .select(['journal_id', 'payment_id', 'charge_id', 'amount'])
  if (paymentId !== undefined) allocations = allocations.where('payment_id', '=', paymentId)
  if (chargeId !== undefined) allocations = allocations.where('charge_id', '=', chargeId)
  return allocations
}
