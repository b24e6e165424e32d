/** The package's version, which a test compares with its manifest. */
export const VERSION = '1.0.0'

/** Bun names Node's version too, so the order counts. */
const RUNTIMES = ['bun', 'deno', 'node']

type Process = { versions?: Record<string, string | undefined> }

/** Names the client in the header `x-kiraya-client`, such as `kiraya-sdk/1.0.0 (node/24.1.0)`. */
export function getClientName() {
  const { process } = globalThis as { process?: Process }
  const runtime = RUNTIMES.find(name => process?.versions?.[name])
  return `kiraya-sdk/${VERSION} (${runtime ? `${runtime}/${process?.versions?.[runtime]}` : 'browser'})`
}
