import { Agreement } from '../../../db/entities'
import { doesDepositMove } from '../../leases/previous-lease'
import { toPaise } from '../../domain/money'
import { finishPosting } from '../charges/late-fees'
import { moveAdvances } from '../charges/moved-advances'
import { reverseLines, toTransferLines } from '../ledger/accounts'
import { loadBooks, toWhen, type Books, type Posting, type When } from '../ledger/books'
import { creditOpenDeposit } from './settlement'

/**
 * Moves what the previous lease holds into the books of its renewal: the deposit, at most what that agrees on, which it
 * returns in paise, and the advance. What the previous lease did not get of its deposit is no longer asked for there. If
 * no tenant stays, nothing moves: it is settled with those who leave.
 */
export async function takeOver(posting: Posting, books: Books) {
  const { id, renews_id } = books.agreement
  if (!renews_id) return 0
  // Its row is locked with that of the renewal.
  const previous = await posting.em.find(Agreement, renews_id, { filters: false })
  const [from] = await loadBooks(posting.em, previous)
  if (!from || from.agreement.status === 'COMPLETED' || !(await doesDepositMove(posting.em, id))) return 0
  const deposit = moveDeposit(from, books, toWhen(posting))
  await moveAdvances(posting, from, books)
  await finishPosting(posting, [from])
  return deposit
}

function moveDeposit(from: Books, to: Books, when: When) {
  const { deposit_amount } = to.agreement
  if (!deposit_amount) return 0
  creditOpenDeposit(from, when)
  const amount = Math.min(toPaise(from.ledger.deposit_held), toPaise(deposit_amount))
  if (amount === 0) return 0
  const lines = toTransferLines('deposit', amount)
  from.journals.push({ kind: 'transfer', ...when, lines })
  to.journals.push({ kind: 'transfer', ...when, lines: reverseLines(lines) })
  return amount
}
