import { expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServer } from '../../../support/server'

const server = testServer({ env: { OPS_TOKEN: 'o'.repeat(32), SANDBOX_TOKEN: 's'.repeat(32) } })
// Redocly accepts an undescribed tag, a missing text and missing responses: other tests of the description do not.

/** The linter follows every reference, which takes seconds on a busy machine. */
const TIMEOUT_MS = 120_000

const load = async (path: string) => await (await fetch(server.url + path)).text()

async function lintWithRedocly(text: string) {
  const file = join(mkdtempSync(join(tmpdir(), 'kiraya-openapi-')), 'openapi.json')
  await Bun.write(file, text)
  const command = [
    'bun',
    '--bun',
    'node_modules/.bin/redocly',
    'lint',
    file,
    '--extends=recommended',
    '--format=json',
  ]
  const run = Bun.spawn(command, {
    cwd: join(import.meta.dir, '../../../..'),
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stderr: 'pipe',
  })
  const output = await new Response(run.stdout).text()
  return JSON.parse(output.slice(output.indexOf('{'))) as { totals: object; problems: unknown[] }
}

test.each(['/openapi/a.json', '/openapi/b.json'])(
  "%s has neither an error nor a warning by Redocly's recommended rules",
  async path => {
    const { problems, totals } = await lintWithRedocly(await load(path))
    expect([problems, totals]).toEqual([[], { errors: 0, warnings: 0, ignored: 0 }])
  },
  TIMEOUT_MS,
)
