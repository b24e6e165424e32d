import { operations } from '../../../operations'
import { toExampleParams, toQuery } from '../../../operations/fixture'
import type { Example } from '../../../operations/row'
import { listOperations } from '../../../support/operations'

const keyed = { 'Idempotency-Key': '$key' }

/** One request to each described operation, in an order in which all succeed. */
export async function listExampleRequests(url: string) {
  const described = new Set((await listOperations(url)).map(({ route }) => route))
  const routes = Object.keys(operations).filter(route => described.has(route))
  return routes.map(route => [route.replace(/:(\w+)/g, '{$1}'), toExample(route)] as const)
}

function toExample(route: string): Example {
  const { example = {}, body, query, sdk } = operations[route]!
  const { id, params } = example
  const isKeyed = sdk.some(each => /^(once|bare|key) /.test(each))
  return {
    params: route.includes(':')
      ? { ...toExampleParams(route.split(' ')[1]!), ...(id && { id }), ...params }
      : undefined,
    query: example.query ?? query,
    headers: example.headers ?? (isKeyed ? keyed : undefined),
    body: example.body ?? body,
  }
}

/** The path with its parameters and its query. */
export const toTarget = (path: string, { params = {}, query }: Example) =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name]!)) + toQuery(query)
