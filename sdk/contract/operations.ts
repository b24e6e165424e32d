import { Type, type Static } from '@sinclair/typebox'
import { described, field, maybe, nullable, page, pageQuery, stringEnum, text, Timestamp } from './common.ts'

export const ReceivedWebhook = described(
  'A webhook that arrived. `outcome` is its result once `processed_at` is set.',
  {
    id: field(Type.Integer(), 'Its number'),
    provider: field(Type.String(), 'Who sent it, such as `setu`'),
    request_id: field(nullable(Type.String()), "The provider's id of the signing request"),
    document_id: field(nullable(Type.String()), "The signature's UUID"),
    payload: field(Type.String(), 'Its ids, states and times as JSON; `null` if it was not understood'),
    outcome: field(nullable(Type.String()), 'The result, once it is processed'),
    attempts: field(Type.Integer(), 'How often it was processed'),
    last_error: field(nullable(Type.String()), 'Why the latest attempt failed'),
    created_at: field(Timestamp, 'When it arrived'),
    processed_at: field(nullable(Timestamp), 'When it was processed; null while it is open'),
    next_attempt_at: field(nullable(Timestamp), 'When it is processed again'),
  },
)
export type ReceivedWebhook = Static<typeof ReceivedWebhook>

export const ReceivedWebhookQuery = described('Which webhooks to list.', {
  ...pageQuery(['id', 'created_at'], '-id'),
  state: maybe(
    stringEnum('open', 'done', 'unknown'),
    '`open` is not processed yet; `unknown` is about requests that this server did not make',
  ),
  request_id: maybe(text(255), "The provider's id of the signing request"),
})
export type ReceivedWebhookQuery = Static<typeof ReceivedWebhookQuery>
export const ReceivedWebhookPage = page(ReceivedWebhook)

export const JobRuns = described('The runs of one job in one state.', {
  name: field(Type.String(), "The job's name"),
  state: field(Type.String(), 'Such as `completed` or `failed`'),
  runs: field(Type.Integer(), 'How many'),
  newest: field(nullable(Timestamp), 'When the newest began'),
})
export type JobRuns = Static<typeof JobRuns>
export const FailedJob = described('A run that failed.', {
  id: field(Type.String(), "The run's id"),
  name: field(Type.String(), "The job's name"),
  error: field(nullable(Type.String()), 'Why it failed'),
  failed_at: field(nullable(Timestamp), 'When it failed'),
})
export type FailedJob = Static<typeof FailedJob>
export const Backlog = described('What waits to be done.', {
  open_signatures: field(Type.Integer(), 'Signatures that wait for their party'),
  stuck_signatures: field(Type.Integer(), 'Their status check is more than ten minutes overdue'),
  webhooks: field(Type.Integer(), 'Webhooks that are not processed yet'),
  cancellations: field(Type.Integer(), 'Requests to cancel at the provider'),
  documents: field(Type.Integer(), 'Signed documents to fetch'),
  reminders: field(Type.Integer(), 'Reminders to send'),
})
export type Backlog = Static<typeof Backlog>
export const JobsReport = described(
  'The runs of each job by state, the newest failures, and the work that waits.',
  {
    jobs: field(Type.Array(JobRuns), 'The runs by job and state'),
    failed: field(Type.Array(FailedJob), 'The newest failures'),
    waiting: field(Backlog, 'The backlog'),
  },
)
export type JobsReport = Static<typeof JobsReport>
