import { expect, test } from 'bun:test'
import { fallbackErrorHandler } from '../../../server/http/security-headers'
import { createLog } from '../../../server/observability/log'

test('500: an error of the handlers themselves has the headers of every response, and is logged', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('error', false, { write: line => lines.push(JSON.parse(line)) })

  const response = fallbackErrorHandler(log, 'https://api.example.com').error(new Error('canary'))

  expect(response.status).toBe(500)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  })
  expect(await response.text()).not.toContain('canary')
  expect(lines).toHaveLength(1)
})
