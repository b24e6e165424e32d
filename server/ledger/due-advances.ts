import { toWhen, type Books, type Posting } from './books'
import { applyAdvances } from './postings'

/** Settles the charges of each day with the advances that were there then. */
export function applyDueAdvances(books: Books, posting: Pick<Posting, 'today' | 'actorId'>) {
  if (books.payments.length === 0) return
  const due = books.charges.filter(({ due_date }) => due_date <= posting.today)
  for (const day of new Set(due.map(({ due_date }) => due_date).toSorted())) {
    const advances = books.payments.filter(
      ({ paid_on, unapplied_amount }) => paid_on <= day && unapplied_amount > 0,
    )
    if (advances.length === 0) continue
    const charges = due.filter(({ due_date }) => due_date <= day)
    applyAdvances(books, advances, charges, toWhen(posting, day))
  }
  applyAdvances(books, books.payments, due, toWhen(posting))
}
