import type { CallResponse, NewRentRevision, RentRevision, RentRevisionQuery } from '@kiraya/sdk'
import { revisionResultFields } from '../output/book-result-fields'
import type { CliCommand } from '../runtime/command'
import { pageFields, type FieldFlags } from '../input/flags'
import { readQuery, submit } from '../input/values'

const revisionFields: FieldFlags<NewRentRevision> = {
  rent_amount: { kind: 'number', alias: 'rent', description: 'rupees a month', isRequired: true },
  effective_on: {
    kind: 'text',
    alias: 'from',
    description: 'YYYY-MM-DD, within the lease',
    isRequired: true,
  },
}

const queryFields: FieldFlags<RentRevisionQuery> = pageFields

const listColumns = ['id', 'effective_on', 'rent_amount', 'status', 'source', 'decided_at', 'revision_id']

export function addRentRevisionCommands(program: CliCommand) {
  const revision = program.command('rent-revision').description('Rents that change during a lease')
  revision
    .command('list')
    .description('List the rents of an agreement after its first one, proposed ones too')
    .addRecord('agreement')
    .addFieldFlags(queryFields)
    .run(async (context, agreementId: string, options: object) => {
      const query = await readQuery<RentRevisionQuery>(context, queryFields, options)
      const { rentRevisions } = await context.client()
      context.showPage(await rentRevisions.list(agreementId, query), listColumns)
    })

  revision
    .command('propose')
    .description('Propose another rent, which a tenant accepts or declines')
    .addRecord('agreement')
    .addFieldFlags(revisionFields)
    .addExamples('kiraya rent-revision propose AGR-2026-000001 --rent 27000 --from 2027-06-01')
    .addResult(revisionResultFields)
    .run(async (context, agreementId: string, options: object) => {
      const { rentRevisions } = await context.client()
      const proposed = await submit<NewRentRevision, CallResponse<RentRevision>>(
        context,
        revisionFields,
        options,
        input => rentRevisions.propose(agreementId, input).withResponse(),
      )
      context.showWarned(proposed)
    })
  addDecisionCommands(revision)
}

function addDecisionCommands(revision: CliCommand) {
  revision
    .command('accept')
    .description('Accept a proposed rent, as a tenant')
    .addRecord('agreement')
    .addRecord('revision')
    .addConfirmFlag()
    .addResult(revisionResultFields)
    .run(async (context, agreementId: string, id: string, options: { yes?: boolean }) => {
      await context.confirm(`Accept the new rent ${context.named}, for good`, options.yes)
      const { rentRevisions } = await context.client()
      context.show(await rentRevisions.accept(agreementId, id))
    })

  revision
    .command('decline')
    .description('Decline a proposed rent, as a tenant')
    .addRecord('agreement')
    .addRecord('revision')
    .addResult(revisionResultFields)
    .run(async (context, agreementId: string, id: string) => {
      const { rentRevisions } = await context.client()
      context.show(await rentRevisions.decline(agreementId, id))
    })

  revision
    .command('withdraw')
    .description('Withdraw a proposed rent, so that no tenant can accept it')
    .addRecord('agreement')
    .addRecord('revision')
    .addResult(revisionResultFields)
    .run(async (context, agreementId: string, id: string) => {
      const { rentRevisions } = await context.client()
      context.show(await rentRevisions.withdraw(agreementId, id))
    })
}
