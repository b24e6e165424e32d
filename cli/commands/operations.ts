import type { InvitationQuery, WebhookDeliveryQuery } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import { pageFields, type FieldFlags } from '../input/flags'
import { readQuery } from '../input/values'
import { createOperations } from '../runtime/operations-client'
import { messageResultFields, webhookResultFields } from '../output/result-fields'

const webhookFields: FieldFlags<WebhookDeliveryQuery> = {
  ...pageFields,
  state: { kind: 'choice', choices: ['open', 'done', 'unknown'] },
  request_id: { kind: 'text', description: "the provider's id of a request" },
}

const webhookColumns = [
  'id',
  'created_at',
  'provider',
  'request_id',
  'outcome',
  'attempts',
  'last_error',
  'processed_at',
]

const invitationFields: FieldFlags<InvitationQuery> = {
  ...pageFields,
  status: { kind: 'choice', choices: ['open', 'accepted', 'expired'] },
  phone_number: { kind: 'phone', alias: 'phone', description: 'only that of this number' },
}

const invitationColumns = [
  'id',
  'phone_number',
  'first_name',
  'last_name',
  'status',
  'sent_at',
  'expires_at',
  'email',
]

export function addOperationsCommands(program: CliCommand) {
  const operations = program
    .command('ops')
    .description("Webhooks, jobs and invitations, for operators; KIRAYA_OPS_TOKEN is the server's OPS_TOKEN")

  operations
    .command('webhooks')
    .description('List the received webhooks')
    .addFieldFlags(webhookFields)
    .run(async (context, options: object) => {
      const query = await readQuery<WebhookDeliveryQuery>(context, webhookFields, options)
      const client = await createOperations(context)
      const page = await client.webhooks(query)
      context.showPage(page, webhookColumns)
    })

  operations
    .command('replay')
    .description('Process a webhook again (idempotent)')
    .argument('<webhook>', 'its number')
    .addResult(webhookResultFields)
    .run(async (context, id: string) => {
      const client = await createOperations(context)
      const delivery = await client.replay(Number(id))
      context.show(delivery)
    })

  operations
    .command('jobs')
    .description('Show the runs, the failures and the backlog of the background jobs')
    .run(async context => {
      const client = await createOperations(context)
      const report = await client.jobs()
      if (context.isJsonOutput) return context.show(report)
      context.show(report.waiting)
      context.show(report.jobs, ['name', 'state', 'runs', 'newest'])
      if (report.failed.length > 0) context.show(report.failed, ['failed_at', 'name', 'error', 'id'])
    })

  operations
    .command('invitations')
    .description('List the invitations of `kiraya import landlords`')
    .addFieldFlags(invitationFields)
    .run(async (context, options: object) => {
      const query = await readQuery<InvitationQuery>(context, invitationFields, options)
      const client = await createOperations(context)
      const page = await client.invitations(query)
      context.showPage(page, invitationColumns)
    })

  operations
    .command('cancel-invitation')
    .description('Cancel an invitation, whose message cannot be called back')
    .argument('<invitation>', 'its number')
    .addResult(messageResultFields)
    .run(async (context, id: string) => {
      const client = await createOperations(context)
      const { message } = await client.cancelInvitation(Number(id))
      context.show({ message })
    })
}
