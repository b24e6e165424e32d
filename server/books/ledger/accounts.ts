import type { ChargeType, PaymentMethod } from '@kiraya/sdk/contract'

/** An account of an agreement's books. The income of each type of charge has one of its own. */
export type Account =
  | 'receivable'
  | 'advance'
  | 'bank'
  | 'cash'
  | 'tds_receivable'
  | 'deposit_agreed'
  | 'deposit_held'
  | 'deposit_transfer'
  | 'advance_transfer'
  | `income:${Exclude<ChargeType, 'deposit' | 'opening_balance'>}`
  | 'opening'
  | 'waived'
  | 'written_off'

/** An amount in paise on one side of an account; the lines of a journal sum to zero. */
export type Line = { account: Account; debit: number; credit: number }

export const debit = (account: Account, amount: number): Line => ({ account, debit: amount, credit: 0 })
export const credit = (account: Account, amount: number): Line => ({ account, debit: 0, credit: amount })

/** The account whose credit a charge is: a deposit is owed back, and older dues are equity, so neither is income. */
function getChargeAccount(type: ChargeType): Account {
  if (type === 'deposit') return 'deposit_agreed'
  return type === 'opening_balance' ? 'opening' : `income:${type}`
}

/** The account that bears a credit note. */
function getCreditAccount(type: ChargeType, reason: string): Account {
  if (type !== 'deposit' && reason === 'waiver') return 'waived'
  if (type !== 'deposit' && reason === 'write_off') return 'written_off'
  return getChargeAccount(type)
}

function getMoneyAccount(method: PaymentMethod): Account {
  return method === 'cash' ? 'cash' : 'bank'
}

export function toChargeLines(type: ChargeType, amount: number): Line[] {
  return [debit('receivable', amount), credit(getChargeAccount(type), amount)]
}

export function toCreditLines(type: ChargeType, reason: string, amount: number): Line[] {
  return [debit(getCreditAccount(type, reason), amount), credit('receivable', amount)]
}

export function toPaymentLines(method: PaymentMethod, amount: number, tdsAmount: number): Line[] {
  const received = [debit(getMoneyAccount(method), amount), debit('tds_receivable', tdsAmount)]
  return [...received.filter(line => line.debit > 0), credit('advance', amount + tdsAmount)]
}

/** What settles a deposit is held from then on. */
export function toAllocationLines(type: ChargeType, amount: number): Line[] {
  const settled = [debit('advance', amount), credit('receivable', amount)]
  if (type !== 'deposit') return settled
  return [...settled, debit('deposit_agreed', amount), credit('deposit_held', amount)]
}

export function toRefundLines(method: PaymentMethod, amount: number): Line[] {
  return [debit('advance', amount), credit(getMoneyAccount(method), amount)]
}

/** The held deposit settles a charge. */
export function toSettlementLines(amount: number): Line[] {
  return [debit('deposit_held', amount), credit('receivable', amount)]
}

/** The held deposit goes back to the tenants. */
export function toDepositRefundLines(method: PaymentMethod, amount: number): Line[] {
  return [debit('deposit_held', amount), credit(getMoneyAccount(method), amount)]
}

/** Held deposit or advance leaves the books of a lease for those of the next one, where the mirror is posted. */
export function toTransferLines(of: 'deposit' | 'advance', amount: number): Line[] {
  return [debit(of === 'deposit' ? 'deposit_held' : of, amount), credit(`${of}_transfer`, amount)]
}

/** What was held or paid ahead before the books. */
export function toOpeningLines(account: 'deposit_held' | 'advance', amount: number): Line[] {
  return [debit('opening', amount), credit(account, amount)]
}

/** The mirror of a journal's lines. */
export function reverseLines(lines: Line[]): Line[] {
  return lines.map(line => ({ account: line.account, debit: line.credit, credit: line.debit }))
}
