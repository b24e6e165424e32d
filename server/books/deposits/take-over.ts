import { executeCompiled } from '../../../db/compiled-queries'
import type { Db } from '../../../db/database'
import { Agreement } from '../../../db/entities'
import { toPaise } from '../../domain/money'
import { finishPosting } from '../charges/late-fees'
import { reverseLines, toTransferLines } from '../ledger/accounts'
import { loadBooks, toWhen, type Books, type Posting } from '../ledger/books'
import { creditOpenDeposit } from './settlement'

/**
 * Moves the deposit that the previous lease holds into the books of its renewal, at most what that agrees on, and
 * returns it in paise. What the previous lease did not get of its own is no longer asked for there. The deposit of a
 * tenant who does not stay is not moved: it is settled with them.
 */
export async function takeOverDeposit(posting: Posting, books: Books) {
  const { em } = posting
  const { renews_id, deposit_amount } = books.agreement
  if (!renews_id || !deposit_amount) return 0
  // Its row is locked with that of the renewal.
  const previous = await em.find(Agreement, renews_id, { filters: false })
  const [from] = await loadBooks(em, previous)
  if (!from || from.agreement.status === 'COMPLETED') return 0
  const [leaver] = await executeCompiled(em, selectLeaver, { id: renews_id, renewalId: books.agreement.id })
  if (leaver) return 0

  const when = toWhen(posting)
  creditOpenDeposit(from, when)
  const amount = Math.min(toPaise(from.ledger.deposit_held), toPaise(deposit_amount))
  const lines = toTransferLines(amount)
  if (amount > 0) {
    from.journals.push({ kind: 'transfer', ...when, lines })
    books.journals.push({ kind: 'transfer', ...when, lines: reverseLines(lines) })
  }
  await finishPosting(posting, [from])
  return amount
}

/** Selects a tenant of the previous lease who is none of its renewal. */
function selectLeaver(db: Db, { id, renewalId }: { id: number; renewalId: number }) {
  const staying = db.selectFrom('agreement_tenants').where('agreement_id', '=', renewalId).select('tenant_id')
  return db
    .selectFrom('agreement_tenants')
    .where('agreement_id', '=', id)
    .where('tenant_id', 'not in', staying)
    .select('tenant_id')
    .limit(1)
}
