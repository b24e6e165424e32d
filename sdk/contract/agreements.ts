import { Type, type Static, type TSchema } from '@sinclair/typebox'
import { billingFields, billingView } from './billing-terms.ts'
import {
  CalendarDate,
  computed,
  defaulted,
  described,
  field,
  formattedText,
  Language,
  list,
  maybe,
  Message,
  nullable,
  optional,
  pageQuery,
  pageResponse,
  paragraphs,
  patch,
  PositiveRupees,
  record,
  reference,
  response,
  Rupees,
  SearchText,
  stringEnum,
  text,
  Texts,
  Timestamp,
  Uuid,
  view,
} from './common.ts'
import { NamedPerson, NamedUnit } from './named.ts'

export const AgreementStatus = field(
  stringEnum('DRAFT', 'PENDING', 'ACTIVE', 'TERMINATED', 'COMPLETED'),
  'DRAFT can be changed, PENDING waits for signatures, ACTIVE is signed by all, TERMINATED has ended, COMPLETED is ' +
    'closed.',
)
export type AgreementStatus = Static<typeof AgreementStatus>

export const LeaseTemplate = field(
  stringEnum('leave_and_licence', 'residential', 'commercial', 'pg'),
  'How the server words a lease: as a licence to use, as a lease of a residence or of business premises, or for a paying guest.',
)
export type LeaseTemplate = Static<typeof LeaseTemplate>
export const LeaseDocument = described('A lease that the server words from the terms of the agreement.', {
  template: field(LeaseTemplate, 'Which wording'),
  language: Language,
})
export type LeaseDocument = Static<typeof LeaseDocument>

const WebAddress = formattedText(
  'web-address',
  { maxLength: 2048 },
  'an http or https address of at most 2048 characters',
)
const AgreementNumber = formattedText(
  'agreement-number',
  { maxLength: 50 },
  'at most 50 letters, digits, spaces, dashes, slashes and dots, and not read as an address or a phone ' +
    'number: no letter follows a dot',
)

/** `name` completes "an array of 1 to 100 different …". */
const users = (maxItems: number, name: string) =>
  Type.Array(reference('user'), {
    minItems: 1,
    maxItems,
    uniqueItems: true,
    description: `an array of 1 to ${maxItems} different ${name}`,
  })

const openingFields = {
  settled_until: field(
    CalendarDate,
    'The last day before the books, YYYY-MM-DD: from the eve of the start to three months from today (Asia/Kolkata)',
  ),
  owed: optional(Rupees, 'Indian rupees that the tenants still owe for the days until then'),
  advance: optional(Rupees, 'Indian rupees that they have paid for the days after it; not beside `owed`'),
  deposit_held: optional(Rupees, 'Indian rupees that the landlord holds; without it the agreed deposit'),
}
export const NewOpening = described(
  'What stood between the parties of a running lease when Kiraya took it over. The books begin on the day after ' +
    '`settled_until`; nothing before it is charged.',
  openingFields,
)
export type NewOpening = Static<typeof NewOpening>
export const Opening = described(
  'What stood between the parties of a running lease when Kiraya took it over, in rupees. The books begin on the day ' +
    'after `settled_until`.',
  view(openingFields),
)
export type Opening = Static<typeof Opening>

const fields = {
  property_unit_id: field(reference('unit'), "The unit's number"),
  document_url: optional(WebAddress, 'The http or https address of the lease, a PDF'),
  document: optional(LeaseDocument, 'In place of an address: a lease that is worded from the terms'),
  agreement_start_date: field(CalendarDate, 'The first day, YYYY-MM-DD'),
  tenure_in_months: field(Type.Integer({ minimum: 1, maximum: 600 }), 'Months'),
  rent_amount: field(PositiveRupees, 'Indian rupees a month'),
  rent_due_day: field(
    Type.Integer({ minimum: 1, maximum: 31 }),
    'The day of the month; the last day in a shorter month',
  ),
  notice_period_days: field(Type.Integer({ minimum: 0, maximum: 3650 }), 'Days'),
  tenant_ids: field(users(100, 'user ids'), "The tenants' user numbers"),
  agreement_number: optional(
    AgreementNumber,
    'The number that people read; without one the server numbers it',
  ),
  deposit_amount: optional(Rupees, 'Indian rupees'),
  auto_renew: defaulted(Type.Boolean(), false, 'Extends the lease by the same tenure at its end'),
  amenities: optional(Texts, 'What the unit offers'),
  pets_allowed: defaulted(Type.Boolean(), false, 'Whether pets may live in the unit'),
  non_veg_allowed: defaulted(Type.Boolean(), false, 'Whether meat may be cooked in the unit'),
  smoking_allowed: defaulted(Type.Boolean(), false, 'Whether smoking is allowed'),
  bachelor_allowed: defaulted(Type.Boolean(), false, 'Whether unmarried tenants may live in the unit'),
  additional_policies: optional(paragraphs(5000), 'Further rules'),
  improvements: optional(paragraphs(5000), 'Improvements that the tenant may make'),
  payment_terms: optional(paragraphs(5000), 'How the rent is paid'),
  late_fee: optional(
    Rupees,
    'Indian rupees for a late rent; with `per_day` for each day after the days of grace',
  ),
  ...billingFields,
  signing_order: optional(
    users(102, 'user ids of parties'),
    'User numbers of parties in signing order; parties that are not listed may sign at any time',
  ),
  clauses: optional(
    list(paragraphs(2000), 10, 'texts of at most 2000 characters'),
    'Further clauses, printed at the end of a lease that the server words',
  ),
  opening: optional(NewOpening, 'Of a lease that has begun: what was paid, owed and held before its books'),
  internal_notes: optional(
    paragraphs(5000),
    "Notes that the landlord's side alone reads, and changes in any state of the agreement",
  ),
}

const paper = {
  registration_number: optional(text(100), 'The number of its registration'),
  stamp_number: optional(text(100), 'The number of its e-stamp or stamp paper'),
}

export const NewAgreement = described('An agreement to create.', fields)
export type NewAgreement = Static<typeof NewAgreement>
export const AgreementChange = described('The terms of an agreement to change.', patch(fields))
export type AgreementChange = Static<typeof AgreementChange>

export const RecordInput = described('A lease that was signed on paper.', {
  signed_on: field(CalendarDate, 'The day on which the last party signed, YYYY-MM-DD, today or earlier'),
  ...paper,
  opening: optional(NewOpening, 'Takes the place of that of the draft'),
})
export type RecordInput = Static<typeof RecordInput>

export const RenewInput = Type.Omit(AgreementChange, ['agreement_start_date', 'opening'], {
  text:
    'What the next term changes; it begins on the day after the end, with the rent that the lease would have ' +
    'then. `property_unit_id` moves it to another unit of the landlord.',
})
export type RenewInput = Static<typeof RenewInput>

export const ObjectionInput = described('What is wrong about a lease that was recorded.', {
  reason: field(paragraphs(5000), 'Why the tenant objects; the other parties see it'),
})
export type ObjectionInput = Static<typeof ObjectionInput>

const Objection = described('The objection of a tenant to a lease that was recorded.', {
  tenant_id: field(Type.Integer(), "The tenant's user number"),
  reason: field(Type.String(), 'Why the tenant objects'),
  objected_at: field(Timestamp, 'When the tenant objected'),
})

export const Agreement = record(
  'agreement_id',
  'A lease. Amounts are rupees, dates are YYYY-MM-DD in Asia/Kolkata. `agreement_end_date` is the start, plus the ' +
    'tenure, minus one day. `revises_agreement_id` is the UUID of the agreement that this one replaces.',
  {
    ...view(fields),
    ...billingView,
    unit: computed(NamedUnit, 'Where it is'),
    landlord: computed(NamedPerson, 'Who lets the unit'),
    manager: computed(nullable(NamedPerson), 'Who manages the unit for the landlord; null without one'),
    tenants: computed(Type.Array(NamedPerson), 'Who rents the unit, in the order of `tenant_ids`'),
    document: computed(nullable(LeaseDocument), 'How the server words the lease; null without a template'),
    document_sha256: field(
      nullable(Type.String()),
      'The SHA-256 in hex of the stored lease: of an uploaded one, or of a worded one that a request to sign has fixed',
    ),
    document_version: field(nullable(Type.Integer()), 'The version of the template of that lease'),
    opening: field(nullable(Opening), 'What was paid, owed and held before its books; null without it'),
    internal_notes: computed(nullable(Type.String()), "Notes; null for all but the landlord's side"),
    external_ref: computed(
      nullable(Type.String()),
      "The landlord's own name for it in an import; null for all but the landlord's side",
    ),
    agreement_number: field(Type.String(), 'The number that people read'),
    landlord_id: field(Type.Integer(), "The landlord's user number"),
    tenant_ids: computed(Type.Array(Type.Integer()), "The tenants' user numbers"),
    agreement_end_date: field(Type.String(), 'The last day, YYYY-MM-DD. A renewal moves it'),
    status: field(AgreementStatus, 'Where the agreement stands'),
    signed_date: field(nullable(Type.String()), 'The day of the last signature, YYYY-MM-DD'),
    recorded_on: field(
      nullable(Type.String()),
      'The day on which the landlord recorded it as signed on paper, YYYY-MM-DD; null if it was not',
    ),
    voided_on: field(
      nullable(Type.String()),
      'The day on which it was taken back because it was recorded wrongly, YYYY-MM-DD; null if it was not',
    ),
    ...view(paper),
    objections: computed(
      Type.Array(Objection),
      'What tenants object to in what was recorded; empty without any',
    ),
    termination_date: field(nullable(Type.String()), 'The day on which it ended, YYYY-MM-DD'),
    termination_reason: field(nullable(Type.String()), 'Why it ended'),
    reinstatement_asked_by: field(nullable(stringEnum('landlord', 'tenants')), 'The side that asks to go on'),
    revises_agreement_id: computed(
      nullable(Type.String()),
      'The UUID of the agreement that this one replaces; null without one',
    ),
    renews_agreement_id: computed(
      nullable(Type.String()),
      'The UUID of the agreement whose next term this one is; null without one',
    ),
    deposit_moves: computed(
      nullable(Type.Boolean()),
      'Whether deposit and advance of that agreement move to this one when it becomes ACTIVE: one of its tenants ' +
        'stays; null without one',
    ),
  },
)
export type Agreement = Static<typeof Agreement>

export const WarningCode = field(
  stringEnum(
    'deposit_above_custom',
    'deposit_stays',
    'escalation_after_tenure',
    'late_fee_above_custom',
    'name_not_shown',
    'revision_notice_short',
    'tds_per_payer',
    'tenant_objects',
    'visit_notice_short',
  ),
  'What a term breaks: a custom of renting, or what the law of some states allows; or what has no effect, stays to be done, or is not shown.',
)
export type WarningCode = Static<typeof WarningCode>
export const Warning = described(
  'A term that breaks a custom of renting or what the law of some states allows, or that has no effect; or ' +
    'what a suggestion cannot know, or documents cannot show. It is never refused.',
  {
    code: field(WarningCode, 'What the warning is about'),
    ...Message.properties,
  },
)
export type Warning = Static<typeof Warning>

export const warnings = maybe(Type.Array(Warning), 'Absent if there are none')
export const warnedResponse = <S extends TSchema>(data: S) =>
  Type.Object({ ...response(data).properties, warnings })
/** With the objections of tenants and, of one that was just written, what its terms break. */
export const AgreementResponse = warnedResponse(Agreement)
export const DraftResponse = AgreementResponse

const sortable = [
  'id',
  'agreement_number',
  'agreement_start_date',
  'agreement_end_date',
  'rent_amount',
  'status',
  'created_at',
  'updated_at',
] as const
export const AgreementQuery = described('Which agreements to list.', {
  ...pageQuery(sortable, '-id'),
  q: SearchText,
  status: maybe(AgreementStatus, 'Only agreements in this state'),
  property_unit_id: maybe(reference('unit'), 'Only agreements for the unit with this number'),
})
export type AgreementQuery = Static<typeof AgreementQuery>
export const AgreementPage = pageResponse(Agreement)

export const TerminateInput = described('The end of a lease.', {
  termination_date: optional(
    CalendarDate,
    'YYYY-MM-DD, today (Asia/Kolkata) or earlier, not before the start; today without one',
  ),
  reason: optional(paragraphs(5000), 'Why it ends; required with `void`'),
  void: optional(
    Type.Boolean(),
    'Takes back a lease on paper that was recorded wrongly, today: it is in no report, and cannot be reinstated',
  ),
})
export type TerminateInput = Static<typeof TerminateInput>

export const DocumentQuery = described('Which signed document to return.', {
  signature_id: maybe(Uuid, 'The UUID of the signature; the last one without it'),
})
export type DocumentQuery = Static<typeof DocumentQuery>
