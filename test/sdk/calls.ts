import { createClient, type Call, type CallOptions, type ClientOptions } from '../../sdk'
import { createOperationsClient } from '../../sdk/operations'
import { createSandboxClient } from '../../sdk/sandbox'
import { operations } from '../operations'

type Clients = ReturnType<typeof createClients>

/** A client of every kind, all with the same options. */
export const createClients = (options: ClientOptions) => ({
  ...createClient(options),
  operations: createOperationsClient(options),
  sandbox: createSandboxClient(options),
})

type Method = { name: string; kind: string; request: string; ids: number[]; takes?: unknown[] }

/** Every method, with the request that it sends. */
export const methods = Object.entries(operations).flatMap(([route, { sdk, takes }]) => {
  const ids = [...route.matchAll(/:\w+/g)].map((_, index) => 3 + 2 * index)
  const request = ids.reduce((path, id) => path.replace(/:\w+/, String(id)), route)
  return sdk.map((each): Method => {
    const [kind = '', name = '', query = ''] = each.split(' ')
    return { name, kind, ids, request: request + query, takes: /other|key/.test(kind) ? takes : undefined }
  })
})

type Given = { options?: CallOptions; input?: object; lastId?: unknown }

/** Calls a method with the least that it needs, or with what is given. */
export function callMethod(
  clients: Clients,
  { name, kind, ids, takes }: Method,
  { options = {}, input = {}, ...given }: Given = {},
) {
  const [noun, verb] = name.split('.') as [keyof Clients, string]
  const takesInput = ['query', 'body', 'once'].includes(kind)
  const path: unknown[] = 'lastId' in given ? [...ids.slice(0, -1), given.lastId] : ids
  const method = (clients[noun] as any)[verb] as (...given: unknown[]) => Call<unknown>
  return method(...path, ...(takes ?? (takesInput ? [input] : [])), options)
}
