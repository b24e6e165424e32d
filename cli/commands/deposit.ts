import type {
  AcceptInput,
  Deduction,
  DepositSettlement,
  DisputeInput,
  NewSettlement,
  SettlementPosting,
} from '@kiraya/sdk'
import { settlementResultFields } from '../output/book-result-fields'
import type { CliCommand } from '../runtime/command'
import type { FieldFlags } from '../input/flags'
import { saveFile } from '../output/files'
import { submit } from '../input/values'
import { paymentMethods } from './book-filters'

/** Without a deduction everything goes back that open charges leave. */
type Settlement = Omit<NewSettlement, 'deductions'> & { deductions?: Deduction[] }

const postingFields: FieldFlags<SettlementPosting> = {
  refund_method: { kind: 'choice', choices: paymentMethods },
  reference: { kind: 'text', description: 'UTR of the transfer or number of the cheque' },
}

const settlementFields: FieldFlags<Settlement> = {
  deductions: {
    kind: 'items',
    alias: 'deduction',
    description: 'what you keep, as "damage:12000:Painting"',
  },
  ...postingFields,
}

const acceptFields: FieldFlags<AcceptInput> = {
  settlement_id: { kind: 'text', description: 'the proposal that you have read', isRequired: true },
}

const disputeFields: FieldFlags<DisputeInput> = {
  ...acceptFields,
  reason: { kind: 'text', description: 'shown to the other parties', isRequired: true },
}

export function addDepositCommands(program: CliCommand) {
  const deposit = program.command('deposit').description('The deposit of a lease, and its settlement')
  deposit
    .command('get')
    .description('Show what was agreed, is held, was deducted and went back, and the settlement')
    .addRecord('agreement')
    .run(async (context, agreementId: string) => {
      const { deposits } = await context.client()
      const { settlement, ...deposit } = await deposits.get(agreementId)
      if (context.isJsonOutput) return context.show({ ...deposit, settlement })
      context.show(deposit)
      if (settlement) context.terminal.out('')
      if (settlement) context.show(settlement)
    })
  deposit
    .command('download')
    .description('Save the settlement, also a proposed one, as a PDF')
    .addRecord('agreement')
    .option('--out <file>', 'file to write; default: agreement-<id>-settlement.pdf')
    .run(async (context, id: string, options: { out?: string }) => {
      const { deposits } = await context.client()
      const bytes = await deposits.settlementPdf(id)
      await saveFile(context, options.out ?? `agreement-${id}-settlement.pdf`, bytes)
    })
  addLandlordCommands(deposit)
  addTenantCommands(deposit)
}

function addLandlordCommands(deposit: CliCommand) {
  deposit
    .command('settle')
    .description('Propose how to settle the deposit of a lease that has ended; again replaces the proposal')
    .addRecord('agreement')
    .addFieldFlags(settlementFields)
    .addExamples(
      'kiraya deposit settle AGR-2026-000001 --refund-method bank_transfer \\',
      '  --deduction "electricity:1430:Last bill" --deduction damage:12000:Painting',
    )
    .addResult(settlementResultFields)
    .run(async (context, agreementId: string, options: object) => {
      const { deposits } = await context.client()
      const proposed = await submit<Settlement, DepositSettlement>(
        context,
        settlementFields,
        options,
        ({ deductions = [], ...refund }) => deposits.settle(agreementId, { deductions, ...refund }),
      )
      context.show(proposed)
    })

  deposit
    .command('post')
    .description('Settle as proposed, once a tenant has accepted or disputed it')
    .addRecord('agreement')
    .addFieldFlags(postingFields)
    .addConfirmFlag()
    .addExamples('kiraya deposit post AGR-2026-000001 --reference 432156789012')
    .addResult(settlementResultFields)
    .run(async (context, agreementId: string, options: { yes?: boolean }) => {
      await context.confirm(`Settle the deposit of ${context.named}, for good`, options.yes)
      const { deposits } = await context.client()
      const posted = await submit<SettlementPosting, DepositSettlement>(
        context,
        postingFields,
        options,
        input => deposits.post(agreementId, input),
      )
      context.show(posted)
    })
}

function addTenantCommands(deposit: CliCommand) {
  deposit
    .command('accept')
    .description('Accept the proposed settlement, as a tenant')
    .addRecord('agreement')
    .addFieldFlags(acceptFields)
    .addResult(settlementResultFields)
    .run(async (context, agreementId: string, options: object) => {
      const { deposits } = await context.client()
      const accepted = await submit<AcceptInput, DepositSettlement>(context, acceptFields, options, input =>
        deposits.accept(agreementId, input),
      )
      context.show(accepted)
    })

  deposit
    .command('dispute')
    .description('Dispute the proposed settlement, as a tenant; the reason stays on record')
    .addRecord('agreement')
    .addFieldFlags(disputeFields)
    .addExamples(
      'kiraya deposit dispute AGR-2026-000001 --reason "The geyser was broken before" \\',
      '  --settlement-id 6ba7b861-9dad-41d1-80b4-00c04fd430c8',
    )
    .addResult(settlementResultFields)
    .run(async (context, agreementId: string, options: object) => {
      const { deposits } = await context.client()
      const disputed = await submit<DisputeInput, DepositSettlement>(context, disputeFields, options, input =>
        deposits.dispute(agreementId, input),
      )
      context.show(disputed)
    })
}
