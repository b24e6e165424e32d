import { Type, type Static } from '@sinclair/typebox'
import { warnedResponse } from './agreements.ts'
import {
  defaulted,
  described,
  field,
  identity,
  Instant,
  maybe,
  nullable,
  optional,
  page,
  pageQuery,
  paragraphs,
  patch,
  PhoneNumber,
  reference,
  Rupees,
  SearchText,
  stringEnum,
  text,
  Timestamp,
  view,
} from './common.ts'

export const MaintenanceCategory = field(
  stringEnum(
    'plumbing',
    'electrical',
    'appliance',
    'carpentry',
    'painting',
    'pest',
    'cleaning',
    'security',
    'other',
  ),
  'The kind of work.',
)
export type MaintenanceCategory = Static<typeof MaintenanceCategory>
export const MaintenancePriority = field(stringEnum('low', 'normal', 'high', 'urgent'), 'How urgent it is.')
export type MaintenancePriority = Static<typeof MaintenancePriority>
export const MaintenanceStatus = field(
  stringEnum('open', 'acknowledged', 'in_progress', 'on_hold', 'resolved', 'closed', 'cancelled'),
  "The landlord's side acknowledges, starts, holds and resolves a request. Who raised it cancels or closes it, or " +
    'reopens it within 14 days of `resolved_at`.',
)
export type MaintenanceStatus = Static<typeof MaintenanceStatus>
export const CostBearer = field(stringEnum('landlord', 'tenant'), 'Who pays for the work.')
export type CostBearer = Static<typeof CostBearer>

const priority = defaulted(MaintenancePriority, 'normal', 'How urgent it is')
/** What describes the matter; it changes while the request is `open`. */
const matter = {
  title: field(text(200), 'The matter in one line, such as `The kitchen tap leaks`'),
  description: optional(paragraphs(2000), 'The matter in more words'),
}
/** What the landlord's side does about it. */
const work = {
  vendor_name: optional(text(255), 'Who does the work'),
  vendor_phone: optional(PhoneNumber, '10 digits, the first of them 6 to 9'),
  scheduled_at: optional(Instant, 'When they come, a timestamp with its zone'),
  cost: optional(Rupees, 'Indian rupees. It cannot change once it is charged'),
  borne_by: defaulted(CostBearer, 'landlord', 'Who pays. It cannot change once the cost is charged'),
}

export const NewMaintenanceRequest = described('A maintenance request to raise.', {
  property_unit_id: field(reference('unit'), "The unit's number"),
  category: field(MaintenanceCategory, 'The kind of work'),
  priority,
  ...matter,
})
export type NewMaintenanceRequest = Static<typeof NewMaintenanceRequest>

/** What changes of a request; null restores a default of these. */
export const MaintenanceFields = Type.Object({ priority, ...matter, ...work })
export const MaintenanceChange = described(
  'The fields of a maintenance request to change. `title` and `description` are for the user who raised it, while it is ' +
    "`open`; the others are for the landlord's side.",
  patch(MaintenanceFields.properties),
)
export type MaintenanceChange = Static<typeof MaintenanceChange>

export const MaintenanceRequest = described('Something to repair in a unit.', {
  ...identity('request_id'),
  property_unit_id: field(Type.Integer(), "The unit's number"),
  agreement_id: field(
    nullable(Type.Integer()),
    'The number of the agreement that was ACTIVE when it was raised; null without one',
  ),
  raised_by_id: field(Type.Integer(), 'The number of the user who raised it'),
  category: field(MaintenanceCategory, 'The kind of work'),
  ...view({ priority, ...matter }),
  status: field(MaintenanceStatus, 'Where it stands'),
  ...view(work),
  scheduled_at: field(nullable(Timestamp), 'When the vendor comes'),
  charge_id: field(nullable(Type.Integer()), 'The number of the charge of its cost; null without one'),
  resolved_at: field(nullable(Timestamp), 'When it was resolved; null before, and once it is reopened'),
  created_at: field(Timestamp, 'When it was raised'),
  updated_at: field(Timestamp, 'When it was last changed'),
})
export type MaintenanceRequest = Static<typeof MaintenanceRequest>

export const MaintenanceEntry = described('A change of the status of a maintenance request.', {
  status: field(MaintenanceStatus, 'What it became'),
  actor_id: field(Type.Integer(), 'Who did it'),
  comment: field(nullable(Type.String()), 'What was said with it'),
  occurred_at: field(Timestamp, 'When it was done'),
})
export type MaintenanceEntry = Static<typeof MaintenanceEntry>

export const MaintenanceAttachment = described('A picture or a document of a maintenance request.', {
  attachment_id: field(Type.String(), 'Its UUID'),
  content_type: field(stringEnum('image/webp', 'application/pdf'), 'The media type of its bytes'),
  size: field(Type.Integer(), 'How many bytes it has'),
  created_by_id: field(Type.Integer(), 'The number of the user who attached it'),
  created_at: field(Timestamp, 'When it was attached'),
})
export type MaintenanceAttachment = Static<typeof MaintenanceAttachment>

export const MaintenanceRequestDetails = described('A maintenance request with its files and its history.', {
  ...MaintenanceRequest.properties,
  attachments: field(Type.Array(MaintenanceAttachment), 'Its pictures and documents, oldest first'),
  entries: field(Type.Array(MaintenanceEntry), 'The changes of its status, oldest first'),
})
export type MaintenanceRequestDetails = Static<typeof MaintenanceRequestDetails>
export const MaintenanceChangeResponse = warnedResponse(MaintenanceRequestDetails)

export const MaintenancePage = page(MaintenanceRequest)
export const MaintenanceQuery = described('Which maintenance requests to list.', {
  ...pageQuery(['id', 'created_at', 'updated_at', 'scheduled_at', 'resolved_at'], '-id'),
  q: SearchText,
  status: maybe(MaintenanceStatus, 'Only requests in this state'),
  open: maybe(Type.Boolean(), 'Only those that are not resolved, closed or cancelled, or only the others'),
  category: maybe(MaintenanceCategory, 'Only this kind of work'),
  priority: maybe(MaintenancePriority, 'Only this priority'),
  property_unit_id: maybe(reference('unit'), 'Only requests for the unit with this number'),
  agreement_id: maybe(reference('agreement'), 'Only requests under the agreement with this number'),
})
export type MaintenanceQuery = Static<typeof MaintenanceQuery>

export const MaintenanceStatusInput = described('A move of a maintenance request to another state.', {
  status: field(MaintenanceStatus, 'What it becomes'),
  comment: optional(paragraphs(2000), 'What to say with it; both sides read it'),
})
export type MaintenanceStatusInput = Static<typeof MaintenanceStatusInput>

export const NewMaintenanceComment = described('A comment on a maintenance request.', {
  text: field(paragraphs(2000), 'What to say'),
  is_internal: defaulted(Type.Boolean(), false, "Whether only the landlord's side reads it"),
})
export type NewMaintenanceComment = Static<typeof NewMaintenanceComment>
export const MaintenanceComment = described(
  'A comment on a maintenance request, or on a change of its status.',
  {
    ...identity('comment_id'),
    text: field(Type.String(), 'What was said'),
    is_internal: field(Type.Boolean(), "Whether only the landlord's side reads it"),
    created_by_id: field(Type.Integer(), 'The number of the user who said it'),
    created_at: field(Timestamp, 'When it was said'),
  },
)
export type MaintenanceComment = Static<typeof MaintenanceComment>
export const MaintenanceCommentPage = page(MaintenanceComment)
export const MaintenanceCommentQuery = described(
  'Which comments of a maintenance request to list.',
  pageQuery(['id', 'created_at'], 'id'),
)
export type MaintenanceCommentQuery = Static<typeof MaintenanceCommentQuery>
