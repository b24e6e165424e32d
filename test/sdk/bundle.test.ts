import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStubServer, dataResponse, errorResponse } from './stub'

const entry: Bun.BuildConfig = {
  entrypoints: [join(import.meta.dir, '../../sdk/index.ts')],
  target: 'browser',
  minify: true,
}
const built = await Bun.build(entry)
const code = await built.outputs[0]!.text()

test('the bundle for browsers holds ky and ours alone, in at most 11 kB', async () => {
  const mapped = await Bun.build({ ...entry, sourcemap: 'external' })
  const map = JSON.parse(await mapped.outputs.find(({ kind }) => kind === 'sourcemap')!.text()) as {
    sources: string[]
  }
  expect(map.sources.filter(source => !/(^|\/)sdk\/|node_modules\/ky\//.test(source))).toEqual([])
  expect(Bun.gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(11_000)
})

const node = Bun.which('node')
test.skipIf(!node)('it runs in Node too, and its errors keep their names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiraya-sdk-'))
  try {
    using it = createStubServer(
      dataResponse({ user: { id: 7 }, status: 'LOGIN_SUCCESSFUL' }),
      errorResponse(404, 'NOT_FOUND'),
    )
    await Bun.write(join(folder, 'sdk.mjs'), code)
    await Bun.write(
      join(folder, 'try.mjs'),
      `
      import { createClient, KirayaError } from './sdk.mjs'
      const kiraya = createClient({ baseUrl: '${it.url}' })
      const { user } = await kiraya.auth.me()
      const failed = await kiraya.properties.get(1).catch(error => error)
      const refused = await createClient({ baseUrl: 'http://127.0.0.1:1' }).auth.sendOtp('9876543210').catch(error => error)
      console.log(JSON.stringify([user.id, failed instanceof KirayaError, failed.name, failed.code, refused.name]))`,
    )
    const run = Bun.spawn([node!, 'try.mjs'], { cwd: folder })
    expect(JSON.parse(await new Response(run.stdout).text())).toEqual([
      7,
      true,
      'NotFoundError',
      'NOT_FOUND',
      'NetworkError',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
