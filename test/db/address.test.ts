import { expect, test } from 'bun:test'
import { createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { openDatabase } from '../../db/database'
import { databaseOfFile } from './database'

const { name, open } = await databaseOfFile()

test('the configured address is used without parts of DATABASE_URL', async () => {
  const before = process.env.DATABASE_URL
  process.env.DATABASE_URL =
    'postgresql://other:secret@example.invalid:1/other?prepared=false&sslmode=verify-full&search_path=other'
  try {
    const opened = open()
    const [found] = await opened.sendStatement(
      `select current_user as name, current_database() as database, current_setting('search_path') as path`,
      [],
    )
    expect(found).toEqual({ name: 'kiraya', database: name, path: '"$user", public' })
  } finally {
    if (before === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = before
  }
})

// A self-signed certificate for localhost.
const cert = `-----BEGIN CERTIFICATE-----
MIIBlDCCATugAwIBAgIUe1LyMtw3buK13npClZvbn8q7OBQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA1MDE0OFoYDzIxMjYxMDI5
MDUwMTQ4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQsVMuD5C0icmoKI0X+1U+AjSYYpbyQ9tMKley9jUyaf9bmALDjcsQq
VBpIhKsTFVQuKX1GGTGu3WxiLOn+u/IUo2kwZzAdBgNVHQ4EFgQU0nJiMOgqp5KH
d5+C+wfH3VtHxykwHwYDVR0jBBgwFoAU0nJiMOgqp5KHd5+C+wfH3VtHxykwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
RwAwRAIgUuAmuO8pHrg4puI7mGYeYGNLtbNJYrUz1pbwr36D14wCICP2e4Yh9TSg
9rTunLHAGwBuC1TUe+ISSeys+WC3EECv
-----END CERTIFICATE-----`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYNa20yp7BwZyRn9F
TuEUeZoZp5Y0dNw0zu2uQRbncr6hRANCAAQsVMuD5C0icmoKI0X+1U+AjSYYpbyQ
9tMKley9jUyaf9bmALDjcsQqVBpIhKsTFVQuKX1GGTGu3WxiLOn+u/IU
-----END PRIVATE KEY-----`

/** A TLS server that records what it receives. */
async function startTlsServer() {
  const told: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}))
    socket.once('data', () => {
      socket.write('S') // yes to the request for TLS
      const secure = new TLSSocket(socket, { isServer: true, cert, key })
      secure.on('error', () => {}).on('data', bytes => void told.push(Buffer.from(bytes)))
    })
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  return {
    told,
    port: (server.address() as { port: number }).port,
    end: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

test.each(['require', 'verify-full', 'no-verify'])(
  'sslmode=%s: a server whose certificate nobody vouches for is told nothing, unless that is asked for',
  async mode => {
    const server = await startTlsServer()
    const opened = openDatabase(`postgresql://kiraya:secret@localhost:${server.port}/x?sslmode=${mode}`, {
      limitMs: mode === 'no-verify' ? 700 : 15_000,
    })
    const refusal = await opened.sendStatement('select 1', []).catch(error => error.code)
    const isTold = Buffer.concat(server.told).includes('kiraya')
    expect([refusal, isTold]).toEqual(
      mode === 'no-verify' ? ['ETIMEDOUT', true] : ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
    )
    server.end()
    await Promise.race([opened.close(), Bun.sleep(1000)])
  },
)
