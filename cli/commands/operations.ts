import type { JobsReport } from '@kiraya/sdk'
import { Message } from '@kiraya/sdk/contract/common'
import { InvitationQuery } from '@kiraya/sdk/contract/invitations'
import { ReceivedWebhook, ReceivedWebhookQuery } from '@kiraya/sdk/contract/operations'
import { phoneWords } from '../input/flags'
import type { Context } from '../runtime/context'
import { createOperations } from '../runtime/operations-client'
import { list, read, send, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  webhooks: list({
    summary: 'List the received webhooks',
    input: ReceivedWebhookQuery,
    columns: [
      'id',
      'created_at',
      'provider',
      'request_id',
      'outcome',
      'attempts',
      'last_error',
      'processed_at',
    ],
    connect: createOperations,
    call: client => client.webhooks,
  }),
  replay: send({
    summary: 'Process a webhook again (idempotent)',
    records: ['webhook'],
    result: ReceivedWebhook,
    connect: createOperations,
    call: client => id => client.replay(Number(id)),
  }),
  jobs: read({
    summary: 'Show the runs, the failures and the backlog of the background jobs',
    connect: createOperations,
    call: client => client.jobs,
    show: showJobs,
  }),
  invitations: list({
    summary: 'List the invitations of `kiraya import landlords`',
    input: InvitationQuery,
    words: { phone_number: { ...phoneWords, description: 'only that of this number' } },
    columns: ['id', 'phone_number', 'first_name', 'last_name', 'status', 'sent_at', 'expires_at', 'email'],
    connect: createOperations,
    call: client => client.invitations,
  }),
  'cancel-invitation': send({
    summary: 'Cancel an invitation, whose message cannot be called back',
    records: ['invitation'],
    result: Message,
    connect: createOperations,
    call: client => id => client.cancelInvitation(Number(id)),
  }),
}

function showJobs(context: Context, { waiting, jobs, failed }: JobsReport) {
  context.show(waiting)
  context.show(jobs, ['name', 'state', 'runs', 'newest'])
  if (failed.length > 0) context.show(failed, ['failed_at', 'name', 'error', 'id'])
}
