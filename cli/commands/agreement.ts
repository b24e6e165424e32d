import type {
  Agreement,
  AgreementChange,
  AgreementQuery,
  CallResponse,
  NewAgreement,
  RenewInput,
  TerminateInput,
} from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { searchFields, type ChangeFlags, type FieldFlags } from '../input/flags'
import { readQuery, submit, submitChange } from '../input/values'
import { addNames } from '../output/names'
import { billingFields } from './billing-terms'
import { addDocumentCommands, addSigningCommands } from './agreement-signing'
import { agreementResultFields, messageResultFields } from '../output/result-fields'

const agreementFields: FieldFlags<NewAgreement> = {
  property_unit_id: {
    kind: 'unit',
    alias: 'unit',
    description: 'id, or property and name as "White House/A-101"',
    isRequired: true,
  },
  tenant_ids: {
    kind: 'people',
    alias: 'tenant',
    description: 'phone number, name or user id of a tenant',
    isRequired: true,
  },
  document_url: { kind: 'text', description: 'address of the agreement as a PDF', isRequired: true },
  agreement_start_date: { kind: 'text', alias: 'start', description: 'YYYY-MM-DD', isRequired: true },
  tenure_in_months: { kind: 'integer', alias: 'months', isRequired: true },
  rent_amount: { kind: 'number', alias: 'rent', description: 'rupees a month', isRequired: true },
  deposit_amount: { kind: 'number', alias: 'deposit', description: 'rupees' },
  rent_due_day: { kind: 'integer', alias: 'due-day', description: '1 to 31', isRequired: true },
  notice_period_days: { kind: 'integer', alias: 'notice-days', isRequired: true },
  agreement_number: { kind: 'text' },
  auto_renew: { kind: 'boolean' },
  amenities: { kind: 'texts' },
  pets_allowed: { kind: 'boolean' },
  non_veg_allowed: { kind: 'boolean' },
  smoking_allowed: { kind: 'boolean' },
  bachelor_allowed: { kind: 'boolean' },
  additional_policies: { kind: 'text' },
  improvements: { kind: 'text' },
  payment_terms: { kind: 'text' },
  late_fee: { kind: 'number', description: 'rupees' },
  ...billingFields,
  signing_order: { kind: 'people', description: 'phone number, name or user id of the next signer' },
}

/** The next term is for the same unit, from the day after the end. */
const renewFields = Object.fromEntries(
  Object.entries(agreementFields).filter(
    ([name]) => name !== 'property_unit_id' && name !== 'agreement_start_date',
  ),
) as ChangeFlags<RenewInput>

const queryFields: FieldFlags<AgreementQuery> = {
  ...searchFields,
  status: { kind: 'choice', choices: ['DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'] },
  property_unit_id: {
    kind: 'unit',
    alias: 'unit',
    description: 'id, or property and name as "White House/A-101"',
  },
}

const terminationFields: FieldFlags<TerminateInput> = {
  termination_date: {
    kind: 'text',
    alias: 'date',
    description: 'YYYY-MM-DD, from the start of the lease to today',
  },
  reason: { kind: 'text' },
}

type ConfirmOptions = { yes?: boolean }

const listColumns = [
  'id',
  'agreement_number',
  'status',
  'unit',
  'tenants',
  'rent_amount',
  'agreement_start_date',
  'agreement_end_date',
  'agreement_id',
]

export function addAgreementCommands(program: CliCommand) {
  const agreement = program.command('agreement').description('Leases and their signing')
  addReadCommands(agreement)
  addDraftCommands(agreement)
  addSigningCommands(agreement)
  addDocumentCommands(agreement)
  addRenewCommand(agreement)
  addEndCommands(agreement)
}

function addReadCommands(agreement: CliCommand) {
  agreement
    .command('list')
    .description('List the agreements that you are a party to or manage')
    .addFieldFlags(queryFields)
    .run(async (context, options: object) => {
      const query = await readQuery<AgreementQuery>(context, queryFields, options)
      const client = await context.client()
      const page = await client.agreements.list(query)
      if (context.isJsonOutput) return context.showPage(page, listColumns)
      const data = await addNames(client, page.data)
      context.showPage({ ...page, data }, listColumns)
    })

  agreement
    .command('get')
    .description('Show an agreement')
    .addRecord('agreement')
    .run(async (context, id: string) => {
      const client = await context.client()
      const found = await client.agreements.get(id)
      if (context.isJsonOutput) return context.show(found)
      const [named] = await addNames(client, [found])
      context.show(named)
    })
}

function addDraftCommands(agreement: CliCommand) {
  agreement
    .command('create')
    .description('Create a draft')
    .addFieldFlags(agreementFields)
    .addExamples(
      'kiraya agreement create --unit "White House/A-101" --tenant 9123456789 \\',
      '  --document-url https://example.com/lease.pdf \\',
      '  --start 2026-12-01 --months 11 --rent 25000 --deposit 100000 --due-day 5 --notice-days 30',
    )
    .addResult(agreementResultFields)
    .run(async (context, options: object) => {
      const client = await context.client()
      const created = await submit<NewAgreement, CallResponse<Agreement>>(
        context,
        agreementFields,
        options,
        input => client.agreements.create(input).withResponse(),
      )
      context.showWarned(created)
    })

  agreement
    .command('update')
    .description('Change a draft')
    .addRecord('agreement')
    .addFieldFlags(agreementFields)
    .addClearFlag()
    .addResult(agreementResultFields)
    .run((context, id: string, options: object) => changeTerms(context, id, options, 'update'))

  agreement
    .command('delete')
    .description('Delete a draft')
    .addRecord('agreement')
    .addConfirmFlag()
    .addResult(messageResultFields)
    .run(async (context, id: string, options: ConfirmOptions) => {
      await context.confirm(`Delete the draft ${context.named}`, options.yes)
      const client = await context.client()
      const response = await client.agreements.delete(id)
      context.show(response)
    })
}

async function changeTerms(context: Context, id: string, options: object, verb: 'update' | 'revise') {
  const client = await context.client()
  const draft = await submitChange<AgreementChange, CallResponse<Agreement>>(
    context,
    agreementFields,
    options,
    change => client.agreements[verb](id, change).withResponse(),
  )
  context.showWarned(draft)
}

function addRenewCommand(agreement: CliCommand) {
  agreement
    .command('renew')
    .description(
      'Draw up the next term of a lease, with the rent that it would have then; the deposit moves over',
    )
    .addRecord('agreement')
    .addFieldFlags(renewFields)
    .addClearFlag()
    .addExamples('kiraya agreement renew AGR-2026-000001 --months 12 --rent 27000')
    .addResult(agreementResultFields)
    .run(async (context, id: string, options: object) => {
      const client = await context.client()
      const draft = await submitChange<RenewInput, CallResponse<Agreement>>(
        context,
        renewFields,
        options,
        change => client.agreements.renew(id, change).withResponse(),
      )
      context.showWarned(draft)
    })
}

function addEndCommands(agreement: CliCommand) {
  agreement
    .command('revise')
    .description('Replace a pending agreement by a new draft with the same terms and your changes')
    .addRecord('agreement')
    .addFieldFlags(agreementFields)
    .addClearFlag()
    .addConfirmFlag()
    .addResult(agreementResultFields)
    .run(async (context, id: string, options: ConfirmOptions) => {
      await context.confirm(
        `Terminate the agreement ${context.named} and replace it by a new draft`,
        options.yes,
      )
      await changeTerms(context, id, options, 'revise')
    })

  agreement
    .command('terminate')
    .description('End a lease or its signing')
    .addRecord('agreement')
    .addFieldFlags(terminationFields)
    .addConfirmFlag()
    .addResult(agreementResultFields)
    .run(async (context, id: string, options: ConfirmOptions) => {
      await context.confirm(`Terminate the agreement ${context.named}, for good`, options.yes)
      const client = await context.client()
      const terminated = await submit<TerminateInput, Agreement>(context, terminationFields, options, input =>
        client.agreements.terminate(id, input),
      )
      context.show(terminated)
    })

  agreement
    .command('complete')
    .description('Close a terminated agreement')
    .addRecord('agreement')
    .addConfirmFlag()
    .addResult(agreementResultFields)
    .run(async (context, id: string, options: ConfirmOptions) => {
      await context.confirm(`Close the agreement ${context.named}, for good`, options.yes)
      const client = await context.client()
      const completed = await client.agreements.complete(id)
      context.show(completed)
    })
}
