import type { Context } from './context'
import { UsageError } from './exit-codes'
import { say } from './messages'

/** A client for operators, with the token from the environment. */
export async function createOperations({ connection, terminal }: Context) {
  const token = terminal.env.KIRAYA_OPS_TOKEN
  if (!token) throw new UsageError(say('ops_token_missing'))
  const { createOperationsClient } = await import('@kiraya/sdk/operations')
  return createOperationsClient({ ...connection, token })
}
