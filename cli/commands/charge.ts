import type { Charge, ChargeQuery, NewCharge, NewCredit } from '@kiraya/sdk'
import { addChargeNames, toScheduleView } from '../output/book-names'
import { chargeResultFields } from '../output/book-result-fields'
import type { CliCommand } from '../runtime/command'
import { pageFields, type FieldFlags } from '../input/flags'
import { readQuery, submit } from '../input/values'
import { bookFilters, replaceYear, YEAR_FLAG } from './book-filters'

const manualTypes = [
  'rent',
  'deposit',
  'maintenance',
  'electricity',
  'water',
  'damage',
  'other',
  'opening_balance',
] as const

const chargeFields: FieldFlags<NewCharge> = {
  type: { kind: 'choice', choices: manualTypes, isRequired: true },
  amount: { kind: 'number', description: 'rupees', isRequired: true },
  due_date: { kind: 'text', alias: 'due', description: 'YYYY-MM-DD', isRequired: true },
  description: { kind: 'text', description: 'default: the type' },
  period_start: { kind: 'text', description: 'YYYY-MM-DD' },
  period_end: { kind: 'text', description: 'YYYY-MM-DD' },
}

const creditFields: FieldFlags<NewCredit> = {
  amount: { kind: 'number', description: 'rupees', isRequired: true },
  reason: {
    kind: 'choice',

    choices: ['proration', 'waiver', 'correction', 'write_off'],
    isRequired: true,
  },
}

const queryFields: FieldFlags<ChargeQuery> = {
  ...pageFields,
  ...bookFilters,
  type: { kind: 'choice', choices: [...manualTypes, 'late_fee'] },
  status: { kind: 'choice', choices: ['upcoming', 'due', 'overdue', 'paid', 'credited'] },
  pending: {
    kind: 'boolean',
    description: 'due today or before, with something outstanding, of an ACTIVE or TERMINATED agreement',
  },
}

const listColumns = [
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
]

export function addChargeCommands(program: CliCommand) {
  const charge = program.command('charge').description('What is owed: rent, deposit and other charges')
  addReadCommands(charge)
  addPostingCommands(charge)
}

function addReadCommands(charge: CliCommand) {
  charge
    .command('list')
    .description('List the charges of your agreements')
    .addFieldFlags(queryFields)
    .option(...YEAR_FLAG)
    .addExamples(
      'kiraya charge list --pending true --sort due_date',
      'kiraya charge list --agreement AGR-2026-000001 --type rent --year 2026-27',
    )
    .run(async (context, options: { year?: string }) => {
      const query = replaceYear(await readQuery<ChargeQuery>(context, queryFields, options), options)
      const client = await context.client()
      const page = await client.charges.list(query)
      if (context.isJsonOutput) return context.showPage(page, listColumns)
      context.showPage({ ...page, data: await addChargeNames(client, page.data) }, listColumns)
    })

  charge
    .command('get')
    .description('Show a charge')
    .addRecord('charge')
    .run(async (context, id: string) => {
      const client = await context.client()
      const found = await client.charges.get(id)
      if (context.isJsonOutput) return context.show(found)
      const [named] = await addChargeNames(client, [found])
      context.show(named)
    })

  charge
    .command('schedule')
    .description('List the instalments of an agreement, posted and projected, also of a draft')
    .addRecord('agreement')
    .run(async (context, agreementId: string) => {
      const { charges } = await context.client()
      const schedule = await charges.schedule(agreementId)
      context.show(context.isJsonOutput ? schedule : toScheduleView(schedule))
    })
}

function addPostingCommands(charge: CliCommand) {
  charge
    .command('create')
    .description('Post a charge that the schedule does not have')
    .addRecord('agreement')
    .addFieldFlags(chargeFields)
    .addExamples(
      'kiraya charge create AGR-2026-000001 --type electricity --amount 1430 --due 2027-01-10 \\',
      '  --description "Electricity in December"',
    )
    .addResult(chargeResultFields)
    .run(async (context, agreementId: string, options: object) => {
      const { charges } = await context.client()
      const created = await submit<NewCharge, Charge>(context, chargeFields, options, input =>
        charges.create(agreementId, input),
      )
      context.show(created)
    })

  charge
    .command('credit')
    .description('Credit a part of a charge, which then need not be paid')
    .addRecord('charge')
    .addFieldFlags(creditFields)
    .addExamples('kiraya charge credit 31 --amount 500 --reason waiver')
    .addResult(chargeResultFields)
    .run(async (context, id: string, options: object) => {
      const { charges } = await context.client()
      const credited = await submit<NewCredit, Charge>(context, creditFields, options, input =>
        charges.credit(id, input),
      )
      context.show(credited)
    })
}
