import type {
  AllocationChange,
  BounceInput,
  ClearInput,
  ConfirmInput,
  Payment,
  PaymentChange,
  RejectInput,
  ReverseInput,
} from '@kiraya/sdk'
import { paymentResultFields } from '../output/book-result-fields'
import type { CliCommand } from '../runtime/command'
import type { FieldFlags } from '../input/flags'
import { submit, submitChange } from '../input/values'

const confirmFields: FieldFlags<ConfirmInput> = {
  allow_duplicate: { kind: 'boolean', description: 'whether another payment may have its reference' },
}

const rejectFields: FieldFlags<RejectInput> = {
  reason: { kind: 'text', description: 'shown to the other parties' },
}

const clearFields: FieldFlags<ClearInput> = {
  cleared_on: { kind: 'text', alias: 'on', description: 'YYYY-MM-DD; default: today' },
}

const bounceFields: FieldFlags<BounceInput> = {
  reason: { kind: 'text', description: 'shown to the other parties' },
  charge_amount: { kind: 'number', alias: 'charge', description: 'rupees that you charge for it' },
}

const reverseFields: FieldFlags<ReverseInput> = {
  reason: { kind: 'text', description: 'shown to the other parties', isRequired: true },
}

const changeFields: FieldFlags<PaymentChange> = {
  tds_certificate_number: {
    kind: 'text',
    alias: 'tds-certificate',
    description: 'number of the certificate, such as Form 16C',
  },
}

const allocationFields: FieldFlags<AllocationChange> = {
  allocations: {
    kind: 'allocations',
    alias: 'allocation',
    description: 'charge and rupees, as 31:5000',
    isRequired: true,
  },
}

type ConfirmOptions = { yes?: boolean }

/** What the landlord's side does with a payment that is recorded. */
export function addPaymentChangeCommands(payment: CliCommand) {
  addReviewCommands(payment)
  addChequeCommands(payment)
  addCorrectionCommands(payment)
}

function addReviewCommands(payment: CliCommand) {
  payment
    .command('confirm')
    .description('Confirm a payment that a tenant reported')
    .addRecord('payment')
    .addFieldFlags(confirmFields)
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: object) => {
      const { payments } = await context.client()
      const confirmed = await submit<ConfirmInput, Payment>(context, confirmFields, options, input =>
        payments.confirm(id, input),
      )
      context.show(confirmed)
    })

  payment
    .command('reject')
    .description('Reject a payment that a tenant reported')
    .addRecord('payment')
    .addFieldFlags(rejectFields)
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: object) => {
      const { payments } = await context.client()
      const rejected = await submit<RejectInput, Payment>(context, rejectFields, options, input =>
        payments.reject(id, input),
      )
      context.show(rejected)
    })
}

function addChequeCommands(payment: CliCommand) {
  payment
    .command('clear')
    .description('Record that the bank has cleared a cheque')
    .addRecord('payment')
    .addFieldFlags(clearFields)
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: object) => {
      const { payments } = await context.client()
      const cleared = await submit<ClearInput, Payment>(context, clearFields, options, input =>
        payments.clear(id, input),
      )
      context.show(cleared)
    })

  payment
    .command('bounce')
    .description('Record that a cheque bounced; the charges that it settled are open again')
    .addRecord('payment')
    .addFieldFlags(bounceFields)
    .addConfirmFlag()
    .addExamples('kiraya payment bounce 12 --reason "Insufficient funds" --charge 500')
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: ConfirmOptions) => {
      await context.confirm(
        `Record that the cheque of payment ${context.named} bounced, for good`,
        options.yes,
      )
      const { payments } = await context.client()
      const bounced = await submit<BounceInput, Payment>(context, bounceFields, options, input =>
        payments.bounce(id, input),
      )
      context.show(bounced)
    })
}

function addCorrectionCommands(payment: CliCommand) {
  payment
    .command('reverse')
    .description('Take a posted payment back: its charges are open again, its receipt is cancelled')
    .addRecord('payment')
    .addFieldFlags(reverseFields)
    .addConfirmFlag()
    .addExamples('kiraya payment reverse 12 --reason "Entered twice"')
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: ConfirmOptions) => {
      await context.confirm(`Reverse payment ${context.named} and cancel its receipt, for good`, options.yes)
      const { payments } = await context.client()
      const reversed = await submit<ReverseInput, Payment>(context, reverseFields, options, input =>
        payments.reverse(id, input),
      )
      context.show(reversed)
    })

  payment
    .command('update')
    .description('Keep the number of the TDS certificate, which the tenant hands over after the payment')
    .addRecord('payment')
    .addFieldFlags(changeFields)
    .addClearFlag()
    .addExamples('kiraya payment update 12 --tds-certificate ABCD1234E')
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: object) => {
      const { payments } = await context.client()
      const updated = await submitChange<PaymentChange, Payment>(context, changeFields, options, change =>
        payments.update(id, change),
      )
      context.show(updated)
    })

  payment
    .command('allocate')
    .description('Settle other charges with a posted payment; what is left is an advance')
    .addRecord('payment')
    .addFieldFlags(allocationFields)
    .option('--none', 'settle nothing: the whole payment is an advance')
    .addExamples(
      'kiraya payment allocate 12 --allocation 31:5000 --allocation 32:20000',
      'kiraya payment allocate 12 --none',
    )
    .addResult(paymentResultFields)
    .run(async (context, id: string, options: { none?: boolean }) => {
      const { payments } = await context.client()
      if (options.none) return context.show(await payments.allocate(id, { allocations: [] }))
      const allocated = await submit<AllocationChange, Payment>(context, allocationFields, options, input =>
        payments.allocate(id, input),
      )
      context.show(allocated)
    })
}
