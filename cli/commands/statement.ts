import {
  RentProofQuery,
  StatementDays,
  StatementQuery,
  type Statement,
} from '@kiraya/sdk/contract/statements'
import type { Context } from '../runtime/context'
import { download, read, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  get: read({
    summary: "Show the tenants' account under an agreement",
    records: ['agreement'],
    input: StatementQuery,
    words: {
      verify: { kind: 'switch', description: 'check that no posting of the lease was changed or removed' },
    },
    examples: ['kiraya statement get AGR-2026-000001 --year 2026-27 --verify'],
    call: client => client.statements.get,
    show: showStatement,
  }),
  download: download({
    summary: "Save the tenants' account, a PDF",
    records: ['agreement'],
    input: StatementDays,
    examples: ['kiraya statement download AGR-2026-000001 --from 2026-04-01 --to 2026-12-31'],
    file: 'agreement-<id>-statement.pdf',
    call: client => client.statements.pdf,
  }),
  'rent-proof': download({
    summary: 'Save the rent that a tenant paid in a year, a PDF for the employer',
    records: ['agreement'],
    input: RentProofQuery,
    words: {
      payer_id: { description: 'phone number, name or user id of the tenant; default: the only one' },
    },
    examples: ['kiraya statement rent-proof AGR-2026-000001 --year 2026-27'],
    file: 'agreement-<id>-rent-proof.pdf',
    call: client => client.statements.rentProof,
  }),
}

function showStatement(context: Context, { lines, is_intact, ...totals }: Statement) {
  context.show(lines, [
    'date',
    'description',
    'debit',
    'credit',
    'balance',
    'kind',
    'charge_id',
    'payment_id',
  ])
  context.terminal.out('')
  context.show(totals)
  if (is_intact === undefined) return
  context.printNote(is_intact ? 'Every posting is unchanged' : 'POSTINGS WERE CHANGED OR REMOVED')
}
