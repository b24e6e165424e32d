import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStubServer, dataResponse, errorResponse } from './stub-server'

const MAX_GZIPPED_BYTES = 11_000
const ALLOWED_SOURCES = /(^|\/)sdk\/|node_modules\/ky\//

const build = await Bun.build({
  entrypoints: [join(import.meta.dir, '../../sdk/index.ts')],
  target: 'browser',
  minify: true,
  sourcemap: 'external',
})
const code = await build.outputs.find(({ kind }) => kind === 'entry-point')!.text()
const sourceMap = await build.outputs.find(({ kind }) => kind === 'sourcemap')!.json()

test('the browser bundle contains only ky and the SDK', () => {
  const foreignSources = sourceMap.sources.filter((source: string) => !ALLOWED_SOURCES.test(source))
  expect(foreignSources).toEqual([])
})

test('the browser bundle is at most 11 kB, minified and gzipped', () => {
  const gzipped = Bun.gzipSync(code, { level: 9 })
  expect(gzipped.length).toBeLessThanOrEqual(MAX_GZIPPED_BYTES)
})

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
