import type { Charge, Payment } from '../../../db/entities'
import { compareDays } from '../../domain/dates'
import { isOpen, toWhen, type Books, type Posting } from '../ledger/books'
import { applyAdvances } from '../ledger/postings'

type AdvancePosting = Pick<Posting, 'today' | 'actorId'>

/** Settles the charges of each day with the advances that were there then. */
export function applyDueAdvances(books: Books, posting: AdvancePosting) {
  const due = books.charges.filter(isOpen).filter(({ due_date }) => due_date <= posting.today)
  const advances = books.payments.filter(isLeft).toSorted((a, b) => compareDays(a.paid_on, b.paid_on))
  const days = Map.groupBy(due, ({ due_date }) => due_date)
  let open: Charge[] = []
  // The advances from `first` to before `next` were there on the day, and have something left.
  let [first, next] = [0, 0]
  for (const day of [...days.keys()].toSorted()) {
    open.push(...days.get(day)!)
    while (next < advances.length && advances[next]!.paid_on <= day) next++
    if (first === next) continue
    applyAdvances(books, advances.slice(first, next), open, toWhen(posting, day))
    while (first < next && !isLeft(advances[first]!)) first++
    open = open.filter(isOpen)
  }
  applyAdvances(books, advances.slice(first), open, toWhen(posting))
}

const isLeft = ({ unapplied_amount, waits_for_allocation }: Payment) =>
  unapplied_amount > 0 && !waits_for_allocation
