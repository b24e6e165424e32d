import type { Schedule } from '@kiraya/sdk'
import { Charge, ChargeQuery, NewCharge, NewCredit } from '@kiraya/sdk/contract/charges'
import { addNames } from '../output/names'
import { list, read, send, type Verbs } from '../runtime/verbs'
import { addYear, replaceYear } from './book-filters'

export const verbs: Verbs = {
  list: list({
    summary: 'List the charges of your agreements',
    input: addYear(ChargeQuery),
    examples: [
      'kiraya charge list --pending true --sort due_date',
      'kiraya charge list --agreement AGR-2026-000001 --type rent --year 2026-27',
    ],
    columns: [
      'id',
      'due_date',
      'status',
      'amount_outstanding',
      'unit',
      'description',
      'amount',
      'agreement',
      'type',
      'period_start',
      'period_end',
      'charge_id',
    ],
    call: client => query => client.charges.list(replaceYear(query)),
    name: addNames,
  }),
  get: read({
    summary: 'Show a charge',
    records: ['charge'],
    call: client => client.charges.get,
    name: addNames,
  }),
  schedule: read({
    summary: 'List the instalments of an agreement, posted and projected, also of a draft',
    records: ['agreement'],
    call: client => client.charges.schedule,
    show: (context, schedule) => context.show(toScheduleView(schedule)),
  }),
  create: send({
    summary: 'Post a charge that the schedule does not have',
    records: ['agreement'],
    input: NewCharge,
    words: { due_date: { alias: 'due' } },
    examples: [
      'kiraya charge create AGR-2026-000001 --type electricity --amount 1430 --due 2027-01-10 \\',
      '  --description "Electricity in December"',
    ],
    result: Charge,
    call: client => client.charges.create,
  }),
  credit: send({
    summary: 'Credit part of a charge, which then need not be paid',
    records: ['charge'],
    input: NewCredit,
    examples: ['kiraya charge credit 31 --amount 500 --reason waiver'],
    result: Charge,
    call: client => client.charges.credit,
  }),
}

/** Says of each instalment whether it is posted, the most important columns first. */
export const toScheduleView = ({ total_rent, instalments }: Schedule) => ({
  total_rent,
  instalments: instalments.map(({ due_date, description, amount, charge_id, ...instalment }) => ({
    due_date,
    description,
    amount,
    status: charge_id === null ? 'projected' : 'posted',
    charge_id,
    ...instalment,
  })),
})
