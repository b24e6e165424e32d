import type { NewPayment, NewRefund, Payment, PaymentQuery, Refund } from '@kiraya/sdk'
import { addPaymentNames, describeAllocations } from '../book-labels'
import type { CliCommand } from '../command'
import { pageFields, type FieldFlags } from '../field-flags'
import { readQuery, submit } from '../inputs'
import { bookFilters } from './book-filters'
import { addPaymentChangeCommands } from './payment-changes'
import { addReceiptCommand } from './statement'

const methods = ['cash', 'upi', 'bank_transfer', 'cheque'] as const
const payer = {
  kind: 'person',
  alias: 'payer',
  description: 'phone number, name or user id of the tenant',
} as const

const paymentFields: FieldFlags<NewPayment> = {
  amount: { kind: 'number', description: 'rupees', isRequired: true },
  method: { kind: 'choice', choices: methods, isRequired: true },
  payer_id: payer,
  tds_amount: { kind: 'number', alias: 'tds', description: 'rupees of tax that the tenant withheld' },
  tds_certificate_number: { kind: 'text', alias: 'tds-certificate' },
  reference: { kind: 'text', description: 'UTR of the transfer or number of the cheque' },
  paid_on: { kind: 'text', description: 'YYYY-MM-DD; default: today' },
  cheque_date: { kind: 'text', description: 'YYYY-MM-DD' },
  allocations: { kind: 'allocations', alias: 'allocation', description: 'charge and rupees, as 31:5000' },
  allow_duplicate: { kind: 'boolean', description: 'whether another payment may have this reference' },
}

const refundFields: FieldFlags<NewRefund> = {
  amount: { kind: 'number', description: 'rupees', isRequired: true },
  method: { kind: 'choice', choices: methods, isRequired: true },
  reference: { kind: 'text', description: 'UTR of the transfer or number of the cheque' },
  refunded_on: { kind: 'text', description: 'YYYY-MM-DD; default: today' },
}

const queryFields: FieldFlags<PaymentQuery> = {
  ...pageFields,
  ...bookFilters,
  payer_id: payer,
  status: {
    kind: 'choice',
    choices: ['reported', 'rejected', 'pending', 'bounced', 'posted', 'reversed'],
  },
  method: { kind: 'choice', choices: [...methods, 'payment_link'] },
}

const listColumns = [
  'id',
  'paid_on',
  'status',
  'amount',
  'payer',
  'unit',
  'method',
  'reference',
  'receipt_number',
  'unapplied_amount',
  'tds_amount',
  'agreement',
  'payment_id',
]

export function addPaymentCommands(program: CliCommand) {
  const payment = program.command('payment').description('What was paid, and what it settles')
  addReadCommands(payment)
  addRecordingCommands(payment)
  addPaymentChangeCommands(payment)
  addReceiptCommand(payment)
}

function addReadCommands(payment: CliCommand) {
  payment
    .command('list')
    .description('List the payments for your agreements')
    .addFieldFlags(queryFields)
    .addExamples(
      'kiraya payment list --unit "White House/A-101" --from 2026-04-01 --to 2027-03-31 --sort paid_on',
      'kiraya payment list --status reported',
    )
    .run(async (context, options: object) => {
      const query = await readQuery<PaymentQuery>(context, queryFields, options)
      const client = await context.client()
      const { payments } = client
      const page = await payments.list(query)
      if (context.isJsonOutput) return context.showPage(page, listColumns)
      context.showPage({ ...page, data: await addPaymentNames(client, page.data) }, listColumns)
    })

  payment
    .command('get')
    .description('Show a payment and what it settles')
    .addRecord('payment')
    .run(async (context, id: string) => {
      const client = await context.client()
      const { payments } = client
      const found = await payments.get(id)
      if (context.isJsonOutput) return context.show(found)
      const [named] = await addPaymentNames(client, [found])
      context.show({ ...named, allocations: await describeAllocations(client, found.allocations) })
    })
}

function addRecordingCommands(payment: CliCommand) {
  payment
    .command('create')
    .description('Record a payment; a tenant reports it for the landlord to confirm')
    .addRecord('agreement')
    .addFieldFlags(paymentFields)
    .addExamples(
      'kiraya payment create AGR-2026-000001 --amount 25000 --method upi --reference 634512345678',
      'kiraya payment create AGR-2026-000001 --amount 45600 --tds 14400 --method bank_transfer --allocation 31:60000',
    )
    .run(async (context, agreementId: string, options: object) => {
      const { payments } = await context.client()
      const created = await submit<NewPayment, Payment>(context, paymentFields, options, input =>
        payments.create(agreementId, input),
      )
      context.show(created)
    })

  payment
    .command('refund')
    .description('Record that an advance was paid back')
    .addRecord('agreement')
    .addFieldFlags(refundFields)
    .addExamples('kiraya payment refund AGR-2026-000001 --amount 1000 --method upi')
    .run(async (context, agreementId: string, options: object) => {
      const { payments } = await context.client()
      const refund = await submit<NewRefund, Refund>(context, refundFields, options, input =>
        payments.refund(agreementId, input),
      )
      context.show(refund)
    })
}
