import type { AgreementChange, AgreementQuery, NewAgreement, TerminateInput } from '@kiraya/sdk'
import { RECORD_ID, type CliCommand } from '../command'
import { searchFields, toChangeBody, toRequestBody, type FieldFlags } from '../field-flags'
import { say } from '../messages'
import { addDocumentCommands, addSigningCommands } from './agreement-signing'

const agreementFields: FieldFlags<NewAgreement> = {
  property_unit_id: {
    kind: 'integer',
    alias: 'unit',
    description: 'numeric id of the unit',
    isRequired: true,
  },
  tenant_ids: { kind: 'integers', alias: 'tenant', description: 'user id of a tenant', isRequired: true },
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
  signing_order: { kind: 'integers', description: 'user id of the next signer' },
}

const queryFields: FieldFlags<AgreementQuery> = {
  ...searchFields,
  status: { kind: 'text', description: 'DRAFT, PENDING, ACTIVE, TERMINATED or COMPLETED' },
  property_unit_id: { kind: 'integer', alias: 'unit', description: 'numeric id of the unit' },
}

const terminationFields: FieldFlags<TerminateInput> = {
  termination_date: {
    kind: 'text',
    alias: 'date',
    description: 'YYYY-MM-DD, from the start of the lease to today',
  },
  reason: { kind: 'text' },
}

const listColumns = [
  'id',
  'agreement_id',
  'agreement_number',
  'status',
  'property_unit_id',
  'agreement_start_date',
  'agreement_end_date',
  'rent_amount',
]

export function addAgreementCommands(program: CliCommand) {
  const agreement = program.command('agreement').description('Leases and their signing')
  addReadCommands(agreement)
  addDraftCommands(agreement)
  addSigningCommands(agreement)
  addDocumentCommands(agreement)
  addEndCommands(agreement)
}

function addReadCommands(agreement: CliCommand) {
  agreement
    .command('list')
    .description('List the agreements that you are a party to or manage')
    .addFieldFlags(queryFields)
    .run(async (context, options: object) => {
      const query = toRequestBody<AgreementQuery>(queryFields, options)
      const client = await context.client()
      const page = await client.agreements.list(query)
      context.showPage(page, listColumns)
    })

  agreement
    .command('get')
    .description('Show an agreement')
    .argument('<agreement>', RECORD_ID)
    .run(async (context, id: string) => {
      const client = await context.client()
      const found = await client.agreements.get(id)
      context.show(found)
    })
}

function addDraftCommands(agreement: CliCommand) {
  agreement
    .command('create')
    .description('Create a draft')
    .addFieldFlags(agreementFields)
    .addExamples(
      'kiraya agreement create --unit 1 --tenant 2 --document-url https://example.com/lease.pdf \\',
      '  --start 2026-12-01 --months 11 --rent 25000 --deposit 100000 --due-day 5 --notice-days 30',
    )
    .run(async (context, options: object) => {
      const input = toRequestBody<NewAgreement>(agreementFields, options)
      const client = await context.client()
      const created = await client.agreements.create(input)
      context.show(created)
    })

  addChangeCommand(agreement, 'update', 'Change a draft')

  agreement
    .command('delete')
    .description('Delete a draft')
    .argument('<agreement>', RECORD_ID)
    .addConfirmFlag()
    .run(async (context, id: string, options: { yes?: boolean }) => {
      await context.confirm(say('delete_draft', { id }), options.yes)
      const client = await context.client()
      const response = await client.agreements.delete(id)
      context.show(response)
    })
}

function addChangeCommand(agreement: CliCommand, verb: 'update' | 'revise', description: string) {
  agreement
    .command(verb)
    .description(description)
    .argument('<agreement>', RECORD_ID)
    .addFieldFlags(agreementFields)
    .addClearFlag()
    .run(async (context, id: string, options: object) => {
      const change = toChangeBody<AgreementChange>(agreementFields, options)
      const client = await context.client()
      const draft = await client.agreements[verb](id, change)
      context.show(draft)
    })
}

function addEndCommands(agreement: CliCommand) {
  addChangeCommand(
    agreement,
    'revise',
    'Replace a pending agreement by a new draft with the same terms and your changes',
  )

  agreement
    .command('terminate')
    .description('End a lease or its signing')
    .argument('<agreement>', RECORD_ID)
    .addFieldFlags(terminationFields)
    .run(async (context, id: string, options: object) => {
      const input = toRequestBody<TerminateInput>(terminationFields, options)
      const client = await context.client()
      const terminated = await client.agreements.terminate(id, input)
      context.show(terminated)
    })

  agreement
    .command('complete')
    .description('Close a terminated agreement')
    .argument('<agreement>', RECORD_ID)
    .run(async (context, id: string) => {
      const client = await context.client()
      const completed = await client.agreements.complete(id)
      context.show(completed)
    })
}
