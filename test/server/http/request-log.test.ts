import { expect, test } from 'bun:test'
import { recordLog } from '../../support/log'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { freshPhone, sendRequest } from '../../support/users'

type Line = { request_id?: string; msg: string; route?: string; status?: number }
const { lines, log } = recordLog<Line>()
const server = testServer({ overrides: { log } })

test('every line of a request has the id that its answer has, and probes have none at info', async () => {
  const asked = await Promise.all(
    Array.from({ length: 4 }, () =>
      sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: freshPhone() } }),
    ),
  )
  await sendRequest(server, 'GET', '/nowhere')
  await sendRequest(server, 'GET', '/health/ready')
  await waitUntil(async () => lines.some(({ status }) => status === 404), 'the line of the last request')
  expect(lines.filter(({ route }) => route?.startsWith('/health'))).toEqual([])

  const listIds = (isWanted: (line: Line) => boolean) =>
    lines
      .filter(isWanted)
      .map(({ request_id }) => request_id!)
      .toSorted()
  expect(lines.at(-1)).toMatchObject({ msg: 'request', method: 'GET', route: 'none', status: 404 })
  expect(asked.map(({ headers }) => headers.get('x-request-id')!).toSorted()).toEqual(
    listIds(({ route }) => route === '/auth/send-otp'),
  )
  // The sandbox answers the server's own request, in which it writes the message to the log.
  const messages = listIds(({ msg }) => msg.startsWith('Sandbox message'))
  expect(messages).toHaveLength(4)
  expect(messages).toEqual(listIds(({ route }) => Boolean(route?.startsWith('/sandbox/whatsapp'))))
})
