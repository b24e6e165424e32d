import { expect, test } from 'bun:test'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { openDatabase } from '../../../db/database'
import { waitUntil } from '../../support/round'
import { freshDatabase } from '../../support/database'
import { sendRequest, freshPhone } from '../../support/users'

test('every line of a request has the id that its answer has', async () => {
  const database = await freshDatabase()
  const lines: { request_id?: string; msg: string; route?: string; status?: number }[] = []
  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    HOST: '127.0.0.1',
    RUN_JOBS: 'false',
    DATABASE_URL: database.url,
    JWT_SECRET: 'j'.repeat(32),
    ESIGN_WEBHOOK_SECRET: 'w'.repeat(32),
  })
  const log = createLog('info', false, { write: line => void lines.push(JSON.parse(line)) })
  const it = startServer(config, openDatabase(database.url), log)
  await it.ready
  const asked = await Promise.all(
    Array.from({ length: 10 }, () =>
      sendRequest(it.url, 'POST', '/auth/send-otp', { body: { phone_number: freshPhone() } }),
    ),
  )
  await sendRequest(it.url, 'GET', '/nowhere')
  await waitUntil(async () => lines.some(({ status }) => status === 404), 'the line of the last request')
  expect(lines.at(-1)).toMatchObject({ msg: 'request', method: 'GET', route: 'none', status: 404 })
  expect(asked.map(({ headers }) => headers.get('x-request-id')).toSorted()).toEqual(
    lines
      .filter(({ route }) => route === '/auth/send-otp')
      .map(({ request_id }) => request_id!)
      .toSorted(),
  )
  const messages = lines.filter(({ msg }) => msg.startsWith('Sandbox message'))
  const within = new Set(
    lines.filter(({ route }) => route?.startsWith('/sandbox/whatsapp')).map(({ request_id }) => request_id),
  )
  expect(messages).toHaveLength(10)
  expect(new Set(messages.map(({ request_id }) => request_id))).toEqual(within)
  await it.stop()
  await database.drop()
})
