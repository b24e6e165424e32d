import { expect, test } from 'bun:test'
import { join } from 'node:path'

const REQUEST_ID = '6cb71618-c76d-4c8e-80a0-3df73e246c63'
const program = `
  import { createLog } from './server/observability/log'
  createLog('info', true).info({ request_id: '${REQUEST_ID}', method: 'GET', status: 200 }, 'request')
`

test('a line on the terminal of a developer has the id of its request', async () => {
  const run = Bun.spawn(['bun', '-e', program], { cwd: join(import.meta.dir, '../../..'), stdout: 'pipe' })
  const output = await new Response(run.stdout).text()
  expect(output).toContain(REQUEST_ID)
  expect(output.trim().split('\n')).toHaveLength(1)
})
