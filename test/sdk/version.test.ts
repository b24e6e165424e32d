import { afterEach, expect, test } from 'bun:test'
import { getClientName, VERSION } from '../../sdk/version'

const { process } = globalThis
afterEach(() => {
  globalThis.process = process
})

test.each<[versions: Record<string, string> | undefined, runtime: string]>([
  [{ node: '24.1.0' }, 'node/24.1.0'],
  [{ node: '24.1.0', bun: '1.4.5' }, 'bun/1.4.5'],
  [{ node: '24.1.0', deno: '2.5.0' }, 'deno/2.5.0'],
  [{}, 'browser'],
  [undefined, 'browser'],
])('where the versions are %j the client says %s', (versions, runtime) => {
  globalThis.process = (versions && { versions }) as never
  const name = getClientName()
  globalThis.process = process
  expect(name).toBe(`kiraya-sdk/${VERSION} (${runtime})`)
})
