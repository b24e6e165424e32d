import type { Context } from './context'
import { UsageError } from './errors'

/** A client for operators, with the token from the environment. */
export async function createOperations({ connection, terminal }: Context) {
  const token = terminal.env.KIRAYA_OPS_TOKEN
  if (!token) throw new UsageError("Set KIRAYA_OPS_TOKEN to the server's OPS_TOKEN")
  const { createOperationsClient } = await import('@kiraya/sdk/operations')
  return createOperationsClient({ ...connection, token })
}
