import { createHmac } from 'node:crypto'
import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { sendRequest, signInUser } from '../../support/users'

const server = testServer()
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** The user's token under another header, signed with the server's secret and stored as the session's. */
async function createTokenWithHeader(header: object) {
  const { token, id } = await signInUser(server)
  const content = `${encode(header)}.${token.split('.')[1]}`
  const signature = createHmac('sha256', server.deps.config.JWT_SECRET).update(content).digest('base64url')
  const signed = `${content}.${signature}`
  await getKysely(server.em())
    .updateTable('auth_sessions')
    .set({ auth_token: Bun.SHA256.hash(signed, 'hex') })
    .where('user_id', '=', id)
    .execute()
  return signed
}

test.each([
  [200, { alg: 'HS256' }],
  [200, { alg: 'HS256', typ: 'JWT' }],
  [401, { alg: 'HS256', crit: ['exp'] }],
  [401, { alg: 'HS256', crit: [] }],
  [401, { alg: 'HS384' }],
  [401, { alg: 'none' }],
  [401, { alg: 'hs256' }],
  [401, {}],
])('%d: a token whose header is %j', async (status, header) => {
  const token = await createTokenWithHeader(header)
  expect((await sendRequest(server, 'GET', '/auth/me', { token })).status).toBe(status)
})
