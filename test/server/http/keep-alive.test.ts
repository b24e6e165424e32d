import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { connect } from 'node:net'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import { completeProfile, signInUser } from '../../support/users'

const server = testServer({ env: { KEEP_ALIVE_S: '4', DATABASE_TIMEOUT_MS: '25000' } })

/** Gets a response, and waits until the server closes the connection. */
async function waitForClose() {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  const closed = once(socket, 'close')
  socket.write('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n')
  const [response] = await once(socket, 'data')
  expect(String(response)).toStartWith('HTTP/1.1 200 ')
  await closed
}

test('200: a response may take longer than a connection without a request is kept', async () => {
  const user = await signInUser(server)

  const change = interrupt(server, {
    lock: db => db.selectFrom('users').where('id', '=', user.id).select('id').forUpdate().execute(),
    start: () => completeProfile(user, { first_name: 'Usha' }),
    meanwhile: waitForClose,
  })

  expect((await change).status).toBe(200)
}, 30_000)
