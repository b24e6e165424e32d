import type { RentProofQuery, StatementDays } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { FieldFlags } from '../input/flags'
import { saveFile } from '../output/files'
import { readQuery } from '../input/values'

const statementFields: FieldFlags<StatementDays> = {
  from: { kind: 'text', description: 'YYYY-MM-DD, the first day' },
  to: { kind: 'text', description: 'YYYY-MM-DD, the last day' },
  year: { kind: 'text', description: 'April to March, such as 2026-27, instead of days' },
}

const rentProofFields: FieldFlags<RentProofQuery> = {
  year: { kind: 'text', description: 'April to March, such as 2026-27; default: the present one' },
  payer_id: {
    kind: 'person',
    alias: 'payer',
    description: 'phone number, name or user id of the tenant; default: the only one',
  },
}

const lineColumns = ['date', 'description', 'debit', 'credit', 'balance', 'kind', 'charge_id', 'payment_id']

export function addStatementCommands(program: CliCommand) {
  const statement = program.command('statement').description('What a tenant owes and paid, also as a PDF')
  addStatementReads(statement)
  addRentProofCommand(statement)
}

function addStatementReads(statement: CliCommand) {
  statement
    .command('get')
    .description("Show the tenants' account under an agreement")
    .addRecord('agreement')
    .addFieldFlags(statementFields)
    .option('--verify', 'check that no posting of the lease was changed or removed')
    .addExamples('kiraya statement get AGR-2026-000001 --year 2026-27 --verify')
    .run(async (context, id: string, options: { verify?: boolean }) => {
      const { statements } = await context.client()
      const days = await readQuery<StatementDays>(context, statementFields, options)
      const found = await statements.get(id, { ...days, verify: options.verify })
      if (context.isJsonOutput) return context.show(found)
      const { lines, is_intact, ...totals } = found
      context.show(lines, lineColumns)
      context.terminal.out('')
      context.show(totals)
      if (is_intact !== undefined)
        context.printNote(is_intact ? 'Every posting is unchanged' : 'POSTINGS WERE CHANGED OR REMOVED')
    })

  statement
    .command('download')
    .description("Save the tenants' account, a PDF")
    .addRecord('agreement')
    .addFieldFlags(statementFields)
    .option('--out <file>', 'file to write; default: agreement-<id>-statement.pdf')
    .addExamples('kiraya statement download AGR-2026-000001 --from 2026-04-01 --to 2026-12-31')
    .run(async (context, id: string, options: { out?: string }) => {
      const { statements } = await context.client()
      const query = await readQuery<StatementDays>(context, statementFields, options)
      const bytes = await statements.pdf(id, query)
      await saveFile(context, options.out ?? `agreement-${id}-statement.pdf`, bytes)
    })
}

function addRentProofCommand(statement: CliCommand) {
  statement
    .command('rent-proof')
    .description('Save the rent that a tenant paid in a year, a PDF for the employer')
    .addRecord('agreement')
    .addFieldFlags(rentProofFields)
    .option('--out <file>', 'file to write; default: agreement-<id>-rent-proof.pdf')
    .addExamples('kiraya statement rent-proof AGR-2026-000001 --year 2026-27')
    .run(async (context, id: string, options: { out?: string }) => {
      const { statements } = await context.client()
      const query = await readQuery<RentProofQuery>(context, rentProofFields, options)
      const bytes = await statements.rentProof(id, query)
      await saveFile(context, options.out ?? `agreement-${id}-rent-proof.pdf`, bytes)
    })
}

export function addReceiptCommand(payment: CliCommand) {
  payment
    .command('receipt')
    .description('Save the receipt of a payment, a PDF')
    .addRecord('payment')
    .option('--out <file>', 'file to write; default: payment-<id>-receipt.pdf')
    .run(async (context, id: string, options: { out?: string }) => {
      const { payments } = await context.client()
      await saveFile(context, options.out ?? `payment-${id}-receipt.pdf`, await payments.receipt(id))
    })
}
