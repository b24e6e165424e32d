import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStubServer, dataResponse, errorResponse } from '../../sdk/stub-server'

const sdk = join(import.meta.dir, '../../../sdk')
const MAX_GZIPPED_BYTES = 15_000
const ALLOWED_SOURCES = /(^|\/)sdk\/(?!contract\/)|node_modules\/ky\//
/** What a browser loads; the contract's schemas are for servers. */
const ENTRIES = ['index', 'operations', 'phone', 'sandbox', 'webhooks']

async function bundleEntry(entry: string) {
  const { outputs } = await Bun.build({
    entrypoints: [join(sdk, `${entry}.ts`)],
    target: 'browser',
    minify: true,
    sourcemap: 'external',
  })
  const code = await outputs.find(({ kind }) => kind === 'entry-point')!.text()
  const { sources } = await outputs.find(({ kind }) => kind === 'sourcemap')!.json()
  return { code, sources: sources as string[], gzippedBytes: Bun.gzipSync(code, { level: 9 }).length }
}
const { code } = await bundleEntry('index')

test.each(ENTRIES)(
  'the bundle of %s has only ky and the SDK, at most 15 kB as README.md says',
  async entry => {
    const { sources, gzippedBytes } = await bundleEntry(entry)
    expect(sources.filter(source => !ALLOWED_SOURCES.test(source))).toEqual([])
    expect(gzippedBytes).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)

    const readme = await Bun.file(join(sdk, 'README.md')).text()
    const name = entry === 'index' ? '@kiraya/sdk' : `@kiraya/sdk/${entry}`
    const [, kilobytes] = new RegExp(`^\\| \`${name}\` .*\\| +([\\d.]+) kB \\|$`, 'm').exec(readme) ?? []
    expect(kilobytes).toBe((gzippedBytes / 1000).toFixed(1))
  },
)

const node = Bun.which('node')
test.skipIf(!node)('the bundle runs in Node, and minified errors keep their names', async () => {
  using server = createStubServer(
    dataResponse({ user: { id: 7 }, status: 'LOGIN_SUCCESSFUL' }),
    errorResponse(404, 'NOT_FOUND'),
  )
  const output = await runInNode(`
    import { createClient, KirayaError } from './sdk.mjs'
    const client = createClient({ baseUrl: '${server.url}' })
    const unreachableClient = createClient({ baseUrl: 'http://127.0.0.1:1' })
    const { user } = await client.auth.me()
    const notFound = await client.properties.get(1).catch(error => error)
    const networkError = await unreachableClient.auth.sendOtp('9876543210').catch(error => error)
    console.log(JSON.stringify({
      userId: user.id,
      isKirayaError: notFound instanceof KirayaError,
      names: [notFound.name, networkError.name],
      code: notFound.code,
    }))
  `)
  expect(output).toEqual({
    userId: 7,
    isKirayaError: true,
    names: ['NotFoundError', 'NetworkError'],
    code: 'NOT_FOUND',
  })
})

async function runInNode(program: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-sdk-'))
  try {
    await Bun.write(join(folder, 'sdk.mjs'), code)
    await Bun.write(join(folder, 'program.mjs'), program)
    const run = Bun.spawn([node!, 'program.mjs'], { cwd: folder })
    const output = await new Response(run.stdout).text()
    return JSON.parse(output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
