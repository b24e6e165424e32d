import { createReports, type ReportCalls } from './reports.ts'
import { createCharges, type ChargeCalls } from './charges.ts'
import type { Kiraya } from './client.ts'
import { CONNECTION } from './connection.ts'
import { createDeposits, type DepositCalls } from './deposits.ts'
import { createPayments, type PaymentCalls } from './payments.ts'
import { createStatements, type StatementCalls } from './statements.ts'

export type { ChargeCalls, DepositCalls, PaymentCalls, ReportCalls, StatementCalls }

/** The landlord's books. Every method throws a `KirayaError` when it fails. */
export interface Books {
  /** What is owed under agreements. */
  readonly charges: ChargeCalls
  /** What was paid under agreements. */
  readonly payments: PaymentCalls
  /** Accounts of agreements, and their papers. */
  readonly statements: StatementCalls
  /** The deposits of agreements, and their settlement. */
  readonly deposits: DepositCalls
  /** Rent roll, arrears and sums of all leases. */
  readonly reports: ReportCalls
}

/**
 * Opens the landlord's books with a client, whose session and options they share.
 * @example
 * const kiraya = createClient({ baseUrl: 'https://api.example.com' })
 * const books = createBooks(kiraya)
 */
export function createBooks(client: Kiraya): Books {
  const http = client[CONNECTION]
  return {
    charges: createCharges(http),
    payments: createPayments(http),
    statements: createStatements(http),
    deposits: createDeposits(http),
    reports: createReports(http),
  }
}
