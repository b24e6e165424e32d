import { createHttpClient, type HttpClient } from './http-client.ts'
import { path } from './inputs.ts'
import type { CallOptions, ClientOptions } from './options.ts'
import type {
  Invitation,
  InvitationQuery,
  JobsReport,
  Message,
  NewInvitation,
  ReceivedWebhook,
  ReceivedWebhookQuery,
} from '#types'

/** A client for operators. Every method throws a `NotFoundError` if the server has no `OPS_TOKEN`. */
export interface OperationsClient extends ReturnType<typeof createOperations> {}

/**
 * Creates a client for operators; `token` is the server's `OPS_TOKEN`.
 * @example
 * const operations = createOperationsClient({ baseUrl: 'https://api.example.com', token: 'the OPS_TOKEN' })
 */
export const createOperationsClient = (options: ClientOptions): OperationsClient =>
  createOperations(createHttpClient(options))

const createOperations = (http: HttpClient) => ({
  /**
   * Returns a page of the received webhooks, newest first unless `sort` says otherwise.
   * @example
   * const { data, metadata } = await operations.webhooks({ state: 'open' })
   */
  webhooks: (query?: ReceivedWebhookQuery, options?: CallOptions) =>
    http.list<ReceivedWebhook>('operations/webhooks', query, options),

  /**
   * Processes a webhook again and returns it. Processing is idempotent.
   * @throws {ServerError} The webhook failed again.
   * @example
   * const { outcome } = await operations.replay(17)
   */
  replay: (id: number, options?: CallOptions) =>
    http.send<ReceivedWebhook>(path`operations/webhooks/${id}/replay`, {}, options),

  /**
   * Returns the runs of each job, the newest failures and the backlog.
   * @example
   * const { failed, waiting } = await operations.jobs()
   */
  jobs: (options?: CallOptions) => http.get<JobsReport>('operations/jobs', options),

  /**
   * Invites a landlord by a message to the phone; no account is made before the person signs in. Inviting again
   * changes the names and the expiry of an open invitation, and sends no second message.
   * @throws {ValidationError} The number has an account already, or no message reaches it.
   * @throws {TooManyRequestsError} Too many messages were sent.
   * @throws {ServerError} The message could not be sent; invite again later.
   * @example
   * const { expires_at } = await operations.invite({
   *   phone_number: '9876543210', first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com',
   * })
   */
  invite: (input: NewInvitation, options?: CallOptions) =>
    http.send<Invitation>('operations/invitations', input, options),

  /**
   * Returns a page of the invitations, newest first unless `sort` says otherwise.
   * @example
   * const { data } = await operations.invitations({ status: 'open' })
   */
  invitations: (query?: InvitationQuery, options?: CallOptions) =>
    http.list<Invitation>('operations/invitations', query, options),

  /**
   * Deletes an invitation: the person no longer finds it. The message cannot be called back.
   * @throws {NotFoundError} There is no such invitation.
   * @example
   * await operations.cancelInvitation(3)
   */
  cancelInvitation: (id: number, options?: CallOptions) =>
    http.delete<Message>(path`operations/invitations/${id}`, options),
})
