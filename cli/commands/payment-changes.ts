import {
  AllocationChange,
  BounceInput,
  ClearInput,
  ConfirmInput,
  Payment,
  PaymentChange,
  RejectInput,
  ReverseInput,
} from '@kiraya/sdk/contract/payments'
import { toFieldFlags } from '../input/flags'
import { submit } from '../input/values'
import { change, createVerb, send, type Verbs } from '../runtime/verbs'

export const allocationWords = {
  kind: 'allocations',
  alias: 'allocation',
  description: 'charge and rupees, as 31:5000',
} as const

const ofPayment = { records: ['payment'], result: Payment } as const
const allocationFields = toFieldFlags(AllocationChange, { allocations: allocationWords })

/** What the landlord's side does with a payment that is recorded. */
export const changeVerbs: Verbs = {
  confirm: send({
    summary: 'Confirm a payment that a tenant reported',
    ...ofPayment,
    input: ConfirmInput,
    call: client => client.payments.confirm,
  }),
  reject: send({
    summary: 'Reject a payment that a tenant reported',
    ...ofPayment,
    input: RejectInput,
    call: client => client.payments.reject,
  }),
  clear: send({
    summary: 'Record that the bank has cleared a cheque',
    ...ofPayment,
    input: ClearInput,
    words: { cleared_on: { alias: 'on' } },
    call: client => client.payments.clear,
  }),
  bounce: send({
    summary: 'Record that a cheque bounced; the charges that it settled are open again',
    ...ofPayment,
    input: BounceInput,
    words: { charge_amount: { alias: 'charge' } },
    examples: ['kiraya payment bounce 12 --reason "Insufficient funds" --charge 500'],
    confirm: payment => `Record that the cheque of payment ${payment} bounced, for good`,
    call: client => client.payments.bounce,
  }),
  reverse: send({
    summary: 'Take a posted payment back: its charges are open again, its receipt is cancelled',
    ...ofPayment,
    input: ReverseInput,
    examples: ['kiraya payment reverse 12 --reason "Entered twice"'],
    confirm: payment => `Reverse payment ${payment} and cancel its receipt, for good`,
    call: client => client.payments.reverse,
  }),
  update: change({
    summary: 'Keep the number of the TDS certificate, which the tenant hands over after the payment',
    ...ofPayment,
    input: PaymentChange,
    words: { tds_certificate_number: { alias: 'tds-certificate' } },
    examples: ['kiraya payment update 12 --tds-certificate ABCD1234E'],
    call: client => client.payments.update,
  }),
  allocate: createVerb(
    {
      summary: 'Settle other charges with a posted payment; what is taken away waits as an advance',
      ...ofPayment,
      fields: allocationFields,
      addFlags: command => command.option('--none', 'settle nothing: the whole payment waits as an advance'),
      examples: [
        'kiraya payment allocate 12 --allocation 31:5000 --allocation 32:20000',
        'kiraya payment allocate 12 --none',
      ],
    },
    async (context, [id], options: { none?: boolean }) => {
      const { payments } = await context.client()
      const allocate = (input: AllocationChange) => payments.allocate(id, input)
      const nothing = { allocations: [] }
      context.show(
        await (options.none ? allocate(nothing) : submit(context, allocationFields, options, allocate)),
      )
    },
  ),
}
