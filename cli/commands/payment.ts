import type { NewPayment, NewRefund, Page, Payment, PaymentQuery, Refund, TdsQuery } from '@kiraya/sdk'
import { addPaymentNames, describeAllocations } from '../output/book-names'
import { paymentResultFields, refundResultFields } from '../output/book-result-fields'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { pageFields, type FieldFlags } from '../input/flags'
import { toRupees } from '../output/formats'
import { readQuery, submit } from '../input/values'
import { bookFilters, paymentMethods, replaceYear, YEAR_FLAG } from './book-filters'
import { addPaymentChangeCommands } from './payment-changes'
import { addReceiptCommand } from './statement'

const payer = {
  kind: 'person',
  alias: 'payer',
  description: 'phone number, name or user id of the tenant',
} as const

const paymentFields: FieldFlags<NewPayment> = {
  amount: { kind: 'number', description: 'rupees', isRequired: true },
  method: { kind: 'choice', choices: [...paymentMethods, 'payment_link'], isRequired: true },
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
  method: { kind: 'choice', choices: paymentMethods, isRequired: true },
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
  method: { kind: 'choice', choices: [...paymentMethods, 'payment_link'] },
}

const tdsFields: FieldFlags<TdsQuery> = {
  year: { kind: 'text', description: 'April to March, such as 2026-27; default: the present one' },
  landlord_pan: {
    kind: 'boolean',
    description: "whether the tenant has the landlord's PAN; default: whether the landlord's profile has one",
  },
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
  addTdsCommand(payment)
}

function addReadCommands(payment: CliCommand) {
  payment
    .command('list')
    .description('List the payments for your agreements')
    .addFieldFlags(queryFields)
    .option(...YEAR_FLAG)
    .addExamples(
      'kiraya payment list --unit "White House/A-101" --year 2026-27 --sort paid_on',
      'kiraya payment list --status reported',
    )
    .run(async (context, options: { year?: string }) => {
      const query = replaceYear(await readQuery<PaymentQuery>(context, queryFields, options), options)
      const client = await context.client()
      const page = await client.payments.list(query)
      if (context.isJsonOutput) return context.showPage(page, listColumns)
      context.showPage({ ...page, data: await addPaymentNames(client, page.data) }, listColumns)
      printTotal(context, page)
    })

  payment
    .command('get')
    .description('Show a payment and what it settles')
    .addRecord('payment')
    .run(async (context, id: string) => {
      const client = await context.client()
      const found = await client.payments.get(id)
      if (context.isJsonOutput) return context.show(found)
      const [named] = await addPaymentNames(client, [found])
      context.show({ ...named, allocations: await describeAllocations(client, found.allocations) })
    })
}

/** Sums up a whole list, without what is only reported, pending or taken back. */
function printTotal({ printNote }: Context, { data, metadata }: Page<Payment>) {
  const posted = data.filter(({ status }) => status === 'posted')
  if (posted.length === 0 || metadata.total_pages > 1) return
  const paise = posted.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  printNote(
    `Received: ${toRupees(paise / 100)}, in ${posted.length} posted ${posted.length === 1 ? 'payment' : 'payments'}`,
  )
}

function addTdsCommand(payment: CliCommand) {
  payment
    .command('tds')
    .description('Suggest the tax that a tenant deducts from the rent of a year, and from which rent')
    .addRecord('agreement')
    .addFieldFlags(tdsFields)
    .addExamples('kiraya payment tds AGR-2026-000001 --year 2026-27')
    .run(async (context, agreementId: string, options: object) => {
      const query = await readQuery<TdsQuery>(context, tdsFields, options)
      const { payments } = await context.client()
      context.showWarned(await payments.tds(agreementId, query).withResponse())
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
    .addResult(paymentResultFields)
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
    .addResult(refundResultFields)
    .run(async (context, agreementId: string, options: object) => {
      const { payments } = await context.client()
      const refund = await submit<NewRefund, Refund>(context, refundFields, options, input =>
        payments.refund(agreementId, input),
      )
      context.show(refund)
    })
}
