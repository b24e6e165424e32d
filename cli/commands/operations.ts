import type { WebhookDeliveryQuery } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { UsageError } from '../exit-codes'
import { pageFields, type FieldFlags } from '../field-flags'
import { readQuery } from '../inputs'
import { say } from '../messages'

const webhookFields: FieldFlags<WebhookDeliveryQuery> = {
  ...pageFields,
  state: { kind: 'choice', label: 'webhook_state', choices: ['open', 'done', 'unknown'] },
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

export function addOperationsCommands(program: CliCommand) {
  const operations = program
    .command('ops')
    .description("Webhooks and jobs, for operators; KIRAYA_OPS_TOKEN is the server's OPS_TOKEN")

  operations
    .command('webhooks')
    .description('List the received webhooks')
    .addFieldFlags(webhookFields)
    .run(async (context, options: object) => {
      const query = await readQuery<WebhookDeliveryQuery>(context, webhookFields, options)
      const client = await createClient(context)
      const page = await client.webhooks(query)
      context.showPage(page, webhookColumns)
    })

  operations
    .command('replay')
    .description('Process a webhook again (idempotent)')
    .argument('<webhook>', 'its number')
    .run(async (context, id: string) => {
      const client = await createClient(context)
      const delivery = await client.replay(Number(id))
      context.show(delivery)
    })

  operations
    .command('jobs')
    .description('Show the runs, the failures and the backlog of the background jobs')
    .run(async context => {
      const client = await createClient(context)
      const report = await client.jobs()
      if (context.isJsonOutput) return context.show(report)
      context.show(report.waiting)
      context.show(report.jobs, ['name', 'state', 'runs', 'newest'])
      if (report.failed.length > 0) context.show(report.failed, ['failed_at', 'name', 'error', 'id'])
    })
}

async function createClient({ connection, terminal }: Context) {
  const token = terminal.env.KIRAYA_OPS_TOKEN
  if (!token) throw new UsageError(say('ops_token_missing'))
  const { createOperationsClient } = await import('@kiraya/sdk/operations')
  return createOperationsClient({ ...connection, token })
}
