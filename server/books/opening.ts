import type { EntityManager } from '../../db/database'
import { AgreementTenant, type Agreement } from '../../db/entities'
import { toPaise } from '../domain/money'
import { getHeldDeposit } from '../leases/opening'
import { postCharge } from './charges/posted'
import { createTakenAdvance } from './charges/moved-advances'
import { toOpeningLines } from './ledger/accounts'
import { toWhen, type Books, type Posting } from './ledger/books'

/** Posts what stood before the books, on their eve or today, and returns the deposit, in paise. */
export function postOpening(posting: Posting, books: Books, firstTenantId: number) {
  const { agreement, journals } = books
  const { settled_until, owed, advance } = agreement.opening!
  const day = settled_until < posting.today ? settled_until : posting.today
  const when = toWhen(posting, day)
  const balance = { type: 'opening_balance', source: 'opening', due_date: day } as const
  if (owed) postCharge(posting, books, { ...balance, amount: toPaise(owed) })
  if (advance) {
    const given = { payer_id: firstTenantId, landlord_id: agreement.landlord_id, paid_on: day }
    const payment = createTakenAdvance(posting, books, {
      ...given,
      amount: toPaise(advance),
      // How it was paid is not known.
      method: 'bank_transfer',
      reference: null,
      source: 'opening',
    })
    journals.push({ kind: 'opening', ...when, payment, lines: toOpeningLines('advance', toPaise(advance)) })
  }
  const held = getHeldDeposit(agreement)
  if (held > 0) journals.push({ kind: 'opening', ...when, lines: toOpeningLines('deposit_held', held) })
  return held
}

/** Finds the first tenants of agreements, who are the payers of their opening advances. */
export async function findFirstTenants(em: EntityManager, agreements: Agreement[]) {
  const withAdvance = agreements.filter(({ opening }) => opening?.advance).map(({ id }) => id)
  if (withAdvance.length === 0) return new Map<number, number>()
  const tenants = await em.find(
    AgreementTenant,
    { agreement_id: { $in: withAdvance } },
    { orderBy: { id: 'desc' } },
  )
  return new Map(tenants.map(({ agreement_id, tenant_id }) => [agreement_id, tenant_id]))
}
