import type { Allocation, Kiraya, Page } from '@kiraya/sdk'
import {
  NewPayment,
  NewRefund,
  Payment,
  PaymentQuery,
  Refund,
  RefundQuery,
  ReverseInput,
} from '@kiraya/sdk/contract/payments'
import { TdsQuery } from '@kiraya/sdk/contract/tds'
import { toRupees } from '../output/formats'
import { addNames } from '../output/names'
import { download, list, read, send, type Verbs } from '../runtime/verbs'
import { addYear, replaceYear } from './book-filters'
import { allocationWords, changeVerbs } from './payment-changes'

const MAX_DESCRIBED = 10

export const verbs: Verbs = {
  list: list({
    summary: 'List the payments for your agreements',
    input: addYear(PaymentQuery),
    examples: [
      'kiraya payment list --unit "White House/A-101" --year 2026-27 --sort paid_on',
      'kiraya payment list --status reported',
    ],
    columns: [
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
    ],
    call: client => query => client.payments.list(replaceYear(query)),
    name: addNames,
    note: toTotal,
  }),
  get: read({
    summary: 'Show a payment and what it settles',
    records: ['payment'],
    call: client => client.payments.get,
    show: async (context, payment) => {
      const client = await context.client()
      const [named] = await addNames(client, [payment])
      context.show({ ...named, allocations: await describeAllocations(client, payment.allocations) })
    },
  }),
  create: send({
    summary: 'Record a payment; a tenant reports it for the landlord to confirm',
    records: ['agreement'],
    input: NewPayment,
    words: {
      tds_amount: { alias: 'tds' },
      tds_certificate_number: { alias: 'tds-certificate' },
      allocations: allocationWords,
    },
    examples: [
      'kiraya payment create AGR-2026-000001 --amount 25000 --method upi --reference 634512345678',
      'kiraya payment create AGR-2026-000001 --amount 45600 --tds 14400 --method bank_transfer --allocation 31:60000',
    ],
    result: Payment,
    call: client => client.payments.create,
  }),
  refund: send({
    summary: 'Record that an advance was paid back',
    records: ['agreement'],
    input: NewRefund,
    examples: ['kiraya payment refund AGR-2026-000001 --amount 1000 --method upi'],
    result: Refund,
    call: client => client.payments.refund,
  }),
  refunds: list({
    summary: 'List the advances of an agreement that were paid back',
    records: ['agreement'],
    input: RefundQuery,
    columns: ['id', 'refunded_on', 'status', 'amount', 'method', 'reference', 'reversal_reason', 'refund_id'],
    call: client => client.payments.refunds,
  }),
  'reverse-refund': send({
    summary: 'Take a refund back: its money is an advance again',
    records: ['refund'],
    input: ReverseInput,
    examples: ['kiraya payment reverse-refund 3 --reason "Entered for the wrong lease"'],
    confirm: refund => `Reverse refund ${refund}, for good`,
    result: Refund,
    call: client => client.payments.reverseRefund,
  }),
  ...changeVerbs,
  receipt: download({
    summary: 'Save the receipt of a payment, a PDF',
    records: ['payment'],
    file: 'payment-<id>-receipt.pdf',
    call: client => client.payments.receipt,
  }),
  tds: read({
    summary: 'Suggest the tax that a tenant deducts from the rent of a year, and from which rent',
    records: ['agreement'],
    input: TdsQuery,
    examples: ['kiraya payment tds AGR-2026-000001 --year 2026-27'],
    call: client => client.payments.tds,
  }),
}

/** Sums up a whole list, without what is only reported, pending or taken back, or came from the lease before. */
function toTotal({ data, metadata }: Page<Payment>) {
  const posted = data.filter(({ status, source }) => status === 'posted' && source === 'manual')
  if (posted.length === 0 || metadata.total_pages > 1) return undefined
  const paise = posted.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  const payments = posted.length === 1 ? 'payment' : 'payments'
  return `Received: ${toRupees(paise / 100)}, in ${posted.length} posted ${payments}`
}

/** Adds what the charges are for to the allocations of a payment. */
export async function describeAllocations(client: Kiraya, allocations: Allocation[]) {
  if (allocations.length > MAX_DESCRIBED) return allocations
  const describe = async ({ charge_id, amount }: Allocation) => {
    const charge = await client.charges.get(charge_id).catch(() => undefined)
    return { charge_id, amount, description: charge?.description, due_date: charge?.due_date }
  }
  return Promise.all(allocations.map(describe))
}
