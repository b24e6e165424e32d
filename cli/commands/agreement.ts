import type { Command } from 'commander'
import type { AgreementChange, AgreementQuery, NewAgreement, TerminateInput } from '@kiraya/sdk'
import { showPage, type AddAction } from '../context'
import { toRequestBody, pagingFields, addFieldFlags, type Fields } from '../field-flags'

const fields: Fields = {
  property_unit_id: { kind: 'integer', as: 'unit', about: 'numeric id of the unit' },
  tenant_ids: { kind: 'integers', as: 'tenant', about: 'user id of a tenant' },
  document_url: { kind: 'text', about: 'address of the agreement as a PDF' },
  agreement_start_date: { kind: 'text', as: 'start', about: 'YYYY-MM-DD' },
  tenure_in_months: { kind: 'integer', as: 'months' },
  rent_amount: { kind: 'number', as: 'rent', about: 'rupees a month' },
  deposit_amount: { kind: 'number', as: 'deposit', about: 'rupees' },
  rent_due_day: { kind: 'integer', as: 'due-day', about: '1 to 31' },
  notice_period_days: { kind: 'integer', as: 'notice-days' },
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
  late_fee: { kind: 'number', about: 'rupees' },
  signing_order: { kind: 'integers', about: 'user id of who signs next' },
}
const required = [
  'property_unit_id',
  'tenant_ids',
  'document_url',
  'agreement_start_date',
  'tenure_in_months',
  'rent_amount',
  'rent_due_day',
  'notice_period_days',
]
const listing: Fields = {
  ...pagingFields,
  status: { kind: 'text', about: 'DRAFT, PENDING, ACTIVE, TERMINATED or COMPLETED' },
  property_unit_id: fields.property_unit_id!,
}
const ending: Fields = {
  termination_date: { kind: 'text', as: 'date', about: 'YYYY-MM-DD, today or before' },
  reason: { kind: 'text' },
}
const columns = [
  'id',
  'agreement_id',
  'agreement_number',
  'status',
  'property_unit_id',
  'agreement_start_date',
  'agreement_end_date',
  'rent_amount',
]
const one = (command: Command) => command.argument('<agreement>', 'number or UUID')

export const addAgreementCommands = (program: Command, act: AddAction) => {
  const noun = program.command('agreement').description('Leases and their signing')
  act(
    addFieldFlags(noun.command('list').description('Agreements that you are a party of or manage'), listing),
    async (context, options: object) =>
      showPage(
        context,
        await (
          await context.client()
        ).agreements.list(toRequestBody<AgreementQuery>(listing, { ...options })),
        columns,
      ),
  )
  act(one(noun.command('get').description('One agreement')), async (context, id: string) =>
    context.show(await (await context.client()).agreements.get(id)),
  )
  act(
    addFieldFlags(noun.command('create').description('Draw up an agreement'), fields).addHelpText(
      'after',
      '\nExample:\n  kiraya agreement create --unit 1 --tenant 2 --document-url https://example.com/lease.pdf --start 2026-12-01 --months 11 --rent 25000 --deposit 100000 --due-day 5 --notice-days 30',
    ),
    async (context, options: object) =>
      context.show(
        await (
          await context.client()
        ).agreements.create(toRequestBody<NewAgreement>(fields, { ...options }, required)),
      ),
  )
  act(
    addFieldFlags(one(noun.command('update').description('Change a draft')), fields, true),
    async (context, id: string, options: object) =>
      context.show(
        await (
          await context.client()
        ).agreements.update(id, toRequestBody<AgreementChange>(fields, { ...options })),
      ),
  )
  act(
    one(noun.command('delete').description('Delete a draft')).option('--yes', 'do not ask'),
    async (context, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Delete the draft ${id}`, options.yes)
      context.show(await (await context.client()).agreements.delete(id))
    },
  )
  act(
    addFieldFlags(one(noun.command('sign').description('Start the signing of one party')), {
      signer: { kind: 'integer', about: 'user id of the party; yourself by default' },
    }),
    async (context, id: string, { signer }: { signer?: number }) => {
      const { agreements, auth } = await context.client()
      const started = await agreements.sign(id, { signer_id: signer ?? (await auth.me()).user.id })
      context.show(started)
      context.printNote(`Sign at ${started.signing_url}`)
    },
  )
  act(one(noun.command('signatures').description('Who has signed')), async (context, id: string) => {
    const found = await (await context.client()).agreements.signatures(id)
    if (context.isJsonOutput) return context.show(found)
    context.show(found.signatures, ['id', 'signer_id', 'signer_role', 'status', 'signed_at', 'expires_at'])
    context.printNote(found.allSigned ? 'All have signed' : 'Not all have signed yet')
  })
  act(one(noun.command('timeline').description('Who did what when')), async (context, id: string) => {
    const { events, intact } = await (await context.client()).agreements.timeline(id)
    if (context.isJsonOutput) return context.show({ events, intact })
    context.show(
      events.map(event => ({ ...event, by: event.actor_name ?? event.actor_id })),
      ['position', 'occurred_at', 'type', 'by', 'details'],
    )
    context.printNote(intact ? 'Every entry is as it was written' : 'ENTRIES WERE CHANGED OR TAKEN OUT')
  })
  for (const [name, about, suffix] of [
    ['document', 'The signed PDF', ''],
    ['certificate', 'The certificate of completion, a PDF', '-certificate'],
  ] as const) {
    act(
      one(noun.command(name).description(about)).option(
        '--out <file>',
        `where it is written; agreement-<id>${suffix}.pdf by default`,
      ),
      async (context, id: string, { out = `agreement-${id}${suffix}.pdf` }: { out?: string }) => {
        const bytes = await (await context.client()).agreements[name](id)
        await Bun.write(out, bytes)
        context.show({ file: out, bytes: bytes.length })
      },
    )
  }
  act(
    addFieldFlags(
      one(
        noun
          .command('revise')
          .description('Withdraw an agreement that is being signed and draw up its next version'),
      ),
      fields,
      true,
    ),
    async (context, id: string, options: object) =>
      context.show(
        await (
          await context.client()
        ).agreements.revise(id, toRequestBody<AgreementChange>(fields, { ...options })),
      ),
  )
  act(
    one(noun.command('cancel-signature').description('Take the open signature of one party back')).argument(
      '<signature>',
      'number or UUID',
    ),
    async (context, id: string, signature: string) =>
      context.show(await (await context.client()).agreements.cancelSignature(id, signature)),
  )
  act(
    addFieldFlags(one(noun.command('terminate').description('End a lease, or the signing of one')), ending),
    async (context, id: string, options: object) =>
      context.show(
        await (
          await context.client()
        ).agreements.terminate(id, toRequestBody<TerminateInput>(ending, { ...options })),
      ),
  )
  act(
    one(noun.command('complete').description('Close a terminated agreement')),
    async (context, id: string) => context.show(await (await context.client()).agreements.complete(id)),
  )
}
