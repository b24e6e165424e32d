/** The package's version, which a test compares with its manifest. */
export const VERSION = '1.0.0'

/** Bun names Node's version too, so the order counts. */
const RUNTIMES = ['bun', 'deno', 'node']

type Process = { versions?: Record<string, string | undefined> }

/** Names the client in the header `x-kiraya-client`, such as `kiraya-sdk/1.0.0 (node/24.1.0)`. */
export function getClientName() {
  const { versions = {} } = (globalThis as { process?: Process }).process ?? {}
  const runtime = RUNTIMES.find(name => versions[name])
  return `kiraya-sdk/${VERSION} (${runtime ? `${runtime}/${versions[runtime]}` : 'browser'})`
}
