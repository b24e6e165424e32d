import type { PageQuery } from './common.ts'

/** A received webhook. */
export interface WebhookDelivery {
  /** The delivery's number. */
  id: number
  /** Who sent it, such as `setu`. */
  provider: string
  /** The provider's id of the signing request. */
  request_id: string | null
  /** The signature's UUID. */
  document_id: string | null
  /** Its ids, states and times as JSON; `null` if it was not understood. */
  payload: string
  /** The result, once it is processed. */
  outcome: string | null
  /** How often it was processed. */
  attempts: number
  /** Why the latest attempt failed. */
  last_error: string | null
  /** An ISO 8601 timestamp. */
  created_at: string
  /** An ISO 8601 timestamp; null while it is open. */
  processed_at: string | null
  /** An ISO 8601 timestamp. */
  next_attempt_at: string | null
}

/** Which webhooks to list. */
export interface WebhookDeliveryQuery extends PageQuery<'id' | 'created_at'> {
  /** `open` are not processed yet; `unknown` concern requests that this server did not create. */
  state?: 'open' | 'done' | 'unknown' | undefined
  /** The provider's id of the signing request. */
  request_id?: string | undefined
}

/** The runs of one job in one state. */
export interface JobRuns {
  /** The job's name. */
  name: string
  /** Such as `completed` or `failed`. */
  state: string
  /** How many. */
  runs: number
  /** When the newest began, an ISO 8601 timestamp. */
  newest: string | null
}

/** A run that failed. */
export interface FailedJob {
  /** The run's id. */
  id: string
  /** The job's name. */
  name: string
  /** Why it failed. */
  error: string | null
  /** An ISO 8601 timestamp. */
  failed_at: string | null
}

/** What waits to be done. */
export interface Backlog {
  /** Signatures that wait for their party. */
  open_signatures: number
  /** Their status check is more than ten minutes overdue. */
  stuck_signatures: number
  /** Webhooks that are not processed yet. */
  webhooks: number
  /** Requests to cancel at the provider. */
  cancellations: number
  /** Signed documents to fetch. */
  documents: number
  /** Reminders to send. */
  reminders: number
}

/** The runs of each job by state, the newest failures, and the backlog. */
export interface JobsReport {
  /** The runs by job and state. */
  jobs: JobRuns[]
  /** The newest failures. */
  failed: FailedJob[]
  /** The backlog. */
  waiting: Backlog
}
