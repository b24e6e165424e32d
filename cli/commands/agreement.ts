import {
  Agreement,
  AgreementChange,
  AgreementQuery,
  NewAgreement,
  RenewInput,
  TerminateInput,
} from '@kiraya/sdk/contract/agreements'
import { AcceptanceInput, Message } from '@kiraya/sdk/contract/common'
import type { FlagWords } from '../input/flags'
import { addNames } from '../output/names'
import { change, download, list, read, send, type Verbs } from '../runtime/verbs'
import { documentWords, sendWithDocument, withDocumentFlags } from './agreement-document'
import { gatherOpening, openingWords, withOpeningFlags } from './agreement-opening'
import { signingVerbs } from './agreement-signing'

const words: FlagWords<NewAgreement> = {
  agreement_start_date: { alias: 'start' },
  tenure_in_months: { alias: 'months' },
  rent_amount: { alias: 'rent' },
  deposit_amount: { alias: 'deposit' },
  rent_due_day: { alias: 'due-day' },
  notice_period_days: { alias: 'notice-days' },
  late_fee_grace_days: { alias: 'grace-days' },
  rent_rounding: { description: 'rupees: 0.01, 1 or 10' },
  escalation_percent: { alias: 'escalation', description: 'percent by which the rent rises' },
  escalation_every_months: { alias: 'escalation-months' },
  recurring_charges: {
    kind: 'items',
    alias: 'recurring-charge',
    description: 'with each rent, as "maintenance:2500:Society maintenance"',
  },
}

// People are asked for unit and tenants first.
const { property_unit_id, tenant_ids, ...terms } = NewAgreement.properties
const draft = withDocumentFlags(
  withOpeningFlags<NewAgreement>({
    ...NewAgreement,
    properties: { property_unit_id, tenant_ids, ...terms },
  }),
)
const draftWords = { ...words, ...documentWords, ...openingWords }

const ofAgreement = { records: ['agreement'], result: Agreement } as const

export const verbs: Verbs = {
  list: list({
    summary: 'List the agreements that you are a party to or manage',
    input: AgreementQuery,
    columns: [
      'id',
      'agreement_number',
      'status',
      'unit',
      'tenants',
      'rent_amount',
      'agreement_start_date',
      'agreement_end_date',
      'agreement_id',
    ],
    call: client => client.agreements.list,
    name: addNames,
  }),
  get: read({
    summary: 'Show an agreement',
    records: ['agreement'],
    call: client => client.agreements.get,
    name: addNames,
  }),
  create: send({
    summary: 'Create a draft',
    input: draft,
    words: draftWords,
    examples: [
      'kiraya agreement create --unit "White House/A-101" --tenant 9123456789 \\',
      '  --template residential --language hi \\',
      '  --start 2026-12-01 --months 11 --rent 25000 --deposit 100000 --due-day 5 --notice-days 30',
    ],
    result: Agreement,
    call: client => input =>
      sendWithDocument(client, draft => client.agreements.create(gatherOpening(draft)), input),
  }),
  update: change({
    summary: 'Change a draft',
    ...ofAgreement,
    input: withDocumentFlags(withOpeningFlags<AgreementChange>(AgreementChange)),
    words: draftWords,
    examples: [
      'kiraya agreement update AGR-2026-000001 --rent 26000 --clear late-fee',
      'kiraya agreement update AGR-2026-000001 --document lease.pdf',
    ],
    call: client => (id, input) =>
      sendWithDocument(client, change => client.agreements.update(id, gatherOpening(change)), input),
  }),
  delete: send({
    summary: 'Delete a draft',
    records: ['agreement'],
    confirm: agreement => `Delete the draft ${agreement}`,
    result: Message,
    call: client => client.agreements.delete,
  }),
  preview: download({
    summary: 'Save the lease that is to be signed, a PDF, unless it is at an address',
    records: ['agreement'],
    examples: ['kiraya agreement preview WH-1 --out -    # prints it, for another program'],
    file: 'agreement-<id>-draft.pdf',
    call: client => client.agreements.preview,
  }),
  ...signingVerbs,
  renew: change({
    summary:
      'Draw up the next term of a lease, with the rent that it would have then; deposit and advance move over if a tenant stays',
    ...ofAgreement,
    input: RenewInput,
    words,
    examples: [
      'kiraya agreement renew AGR-2026-000001 --months 12 --rent 27000',
      'kiraya agreement renew AGR-2026-000001 --unit "White House/Bed 2"',
    ],
    call: client => client.agreements.renew,
  }),
  revise: change({
    summary: 'Replace a pending agreement by a new draft with the same terms and your changes',
    ...ofAgreement,
    input: AgreementChange,
    words,
    examples: ['kiraya agreement revise AGR-2026-000001 --rent 24000'],
    confirm: agreement => `Terminate the agreement ${agreement} and replace it by a new draft`,
    call: client => client.agreements.revise,
  }),
  terminate: send({
    summary: 'End a lease or its signing',
    ...ofAgreement,
    input: TerminateInput,
    words: { termination_date: { alias: 'date' }, void: { kind: 'switch' } },
    examples: [
      'kiraya agreement terminate AGR-2026-000001 --date 2027-03-31 --reason "The tenant moves"',
      'kiraya agreement terminate AGR-2026-000001 --void --reason "Wrong tenant"',
    ],
    confirm: agreement => `Terminate the agreement ${agreement}`,
    call: client => client.agreements.terminate,
  }),
  reinstate: send({
    summary: 'Undo a termination of the last 30 days; after the first day both sides have to',
    ...ofAgreement,
    input: AcceptanceInput,
    words: { accepted_on_paper: { kind: 'acceptance' } },
    call: client => client.agreements.reinstate,
  }),
  complete: send({
    summary: 'Close a terminated agreement',
    ...ofAgreement,
    confirm: agreement => `Close the agreement ${agreement}, for good`,
    call: client => client.agreements.complete,
  }),
}
