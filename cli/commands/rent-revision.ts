import { AcceptanceInput } from '@kiraya/sdk/contract/common'
import { NewRentRevision, RentRevision, RentRevisionQuery } from '@kiraya/sdk/contract/revisions'
import { list, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  list: list({
    summary: 'List the rents of an agreement after its first one, proposed ones too',
    records: ['agreement'],
    input: RentRevisionQuery,
    columns: ['id', 'effective_on', 'rent_amount', 'status', 'decided_at', 'revision_id'],
    call: client => client.rentRevisions.list,
  }),
  propose: send({
    summary: 'Propose another rent, which a tenant accepts or declines',
    records: ['agreement'],
    input: NewRentRevision,
    words: { rent_amount: { alias: 'rent' }, effective_on: { alias: 'from' } },
    examples: ['kiraya rent-revision propose AGR-2026-000001 --rent 27000 --from 2027-06-01'],
    result: RentRevision,
    call: client => client.rentRevisions.propose,
  }),
  accept: send({
    summary: 'Accept a proposed rent, as a tenant, or enter that it was accepted on paper',
    records: ['agreement', 'revision'],
    input: AcceptanceInput,
    words: { accepted_on_paper: { kind: 'acceptance' } },
    confirm: revision => `Accept the new rent ${revision}, for good`,
    result: RentRevision,
    call: client => client.rentRevisions.accept,
  }),
  decline: send({
    summary: 'Decline a proposed rent, as a tenant',
    records: ['agreement', 'revision'],
    result: RentRevision,
    call: client => client.rentRevisions.decline,
  }),
  withdraw: send({
    summary: 'Withdraw a proposed rent, so that no tenant can accept it',
    records: ['agreement', 'revision'],
    result: RentRevision,
    call: client => client.rentRevisions.withdraw,
  }),
}
