import type { Command } from 'commander'
import type { WebhookDeliveryQuery } from '@kiraya/sdk'
import { showPage, UsageError, type AddAction, type Context } from '../context'
import { toRequestBody, pagingFields, addFieldFlags, type Fields } from '../field-flags'

const listing: Fields = {
  page: pagingFields.page!,
  limit: pagingFields.limit!,
  sort: pagingFields.sort!,
  state: { kind: 'text', about: 'open, done or unknown' },
  request_id: { kind: 'text', about: "the provider's id of a request" },
}
const columns = [
  'id',
  'created_at',
  'provider',
  'request_id',
  'outcome',
  'attempts',
  'last_error',
  'processed_at',
]

const operationsOf = async ({ baseUrl, io }: Context) => {
  const token = io.env.KIRAYA_OPS_TOKEN
  if (!token) throw new UsageError("KIRAYA_OPS_TOKEN is required: the server's OPS_TOKEN")
  const { createOperationsClient } = await import('@kiraya/sdk/operations')
  return createOperationsClient({ baseUrl, token })
}

export const addOperationsCommands = (program: Command, act: AddAction) => {
  const noun = program
    .command('ops')
    .description("What operations look at; KIRAYA_OPS_TOKEN holds the server's OPS_TOKEN")
  act(
    addFieldFlags(noun.command('webhooks').description('The webhooks that came'), listing),
    async (context, options: object) =>
      showPage(
        context,
        await (
          await operationsOf(context)
        ).webhooks(toRequestBody<WebhookDeliveryQuery>(listing, { ...options })),
        columns,
      ),
  )
  act(
    noun
      .command('replay')
      .description('Act on a webhook again, which never does harm')
      .argument('<webhook>', 'its number'),
    async (context, id: string) => context.show(await (await operationsOf(context)).replay(Number(id))),
  )
  act(noun.command('jobs').description('How the background work stands'), async context => {
    const { jobs, failed, waiting } = await (await operationsOf(context)).jobs()
    if (context.isJsonOutput) return context.show({ jobs, failed, waiting })
    context.show(waiting)
    context.show(jobs, ['name', 'state', 'runs', 'newest'])
    if (failed.length) context.show(failed, ['failed_at', 'name', 'error', 'id'])
  })
}
