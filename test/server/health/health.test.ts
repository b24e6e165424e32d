import { describe, expect, test } from 'bun:test'
import { mkdtemp, rm, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { freshDatabase } from '../../support/database'
import { createLandlord, sendRequest, type TestResponse } from '../../support/users'
import { startTestServer, testServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'
import { signInWithVariantA } from '../accounts/profile/fixtures'

const seen = ({ status, body }: TestResponse) => [status, body]
const live = [200, { success: true, data: { status: 'live' } }]
const ready = [200, { success: true, data: { status: 'ready' } }]
const secrets = {
  JWT_SECRET: 'a secret that only the tests know of more than 32 bytes',
  ESIGN_WEBHOOK_SECRET: 'another secret that only the tests know and as long',
}

/** A server that reaches its database through a socket which tests take away and give back. */
async function behindSocket({ reachable = true } = {}) {
  const database = await freshDatabase()
  const socket = join(new URL(database.url).searchParams.get('host')!, '.s.PGSQL.5432')
  const folder = await mkdtemp('/tmp/kiraya-')
  const door = join(folder, '.s.PGSQL.5432')
  const restore = () => symlink(socket, door)
  if (reachable) await restore()
  const url = `postgresql://kiraya@localhost/${database.name}?host=${encodeURIComponent(folder)}`
  const serving = startServer(
    readConfig({
      NODE_ENV: 'test',
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'silent',
      DATABASE_URL: url,
      ...secrets,
    }),
    openDatabase(url),
    createLog('silent', false),
  )
  return {
    ...serving,
    restore,
    lose: async () => {
      await unlink(door)
      const admin = new Bun.SQL({ path: socket, username: 'kiraya', database: 'postgres', max: 1 })
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${database.name}`
      await admin.end()
    },
    end: async () => {
      await serving.stop()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}

const loadReadiness = async (it: { url: string }) => seen(await sendRequest(it.url, 'GET', '/health/ready'))
const loadLiveness = async (it: { url: string }) => seen(await sendRequest(it.url, 'GET', '/health/live'))

describe('with its database', () => {
  const server = testServer()

  test('200: live and ready, in the envelope, without a token, whatever the token', async () => {
    for (const token of [undefined, 'x.y.z', `x.${btoa('{"variant":"a"}')}.x`]) {
      expect(seen(await sendRequest(server, 'GET', '/health/live', { token }))).toEqual(live)
      for (const path of ['/health', '/health/ready'])
        expect(seen(await sendRequest(server, 'GET', path, { token }))).toEqual(ready)
    }
  })

  test('503: ready names a migration that the database lacks, or says that all do; live does not care', async () => {
    const it = await startTestServer({ own: true })
    const execute = (statement: string) => it.em().getConnection().execute(statement)
    const [removed] = await execute(
      'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name',
    )
    expect(await loadReadiness(it)).toEqual([503, enveloped(503, expect.stringContaining(removed!.name))])
    expect(await loadLiveness(it)).toEqual(live)

    await execute('drop table mikro_orm_migrations')
    const { status, error } = await sendRequest(it, 'GET', '/health/ready')
    expect([status, error.reason]).toEqual([503, 'migrations_missing'])
    await it.end()
  })
})

describe('when the database goes', () => {
  test('503 everywhere in the right form, and all is well when it is back', async () => {
    const it = await behindSocket()
    await it.ready
    const [user, inA] = [await createLandlord(it), await signInWithVariantA(it)]
    const { phone } = user
    await it.lose()

    const unready = await sendRequest(it.url, 'GET', '/health/ready')
    expect(seen(unready)).toEqual([503, enveloped(503)])
    expect(Number(unready.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await loadLiveness(it)).toEqual(live)
    for (const [method, path, body] of [
      ['GET', '/auth/me'],
      ['POST', '/auth/send-otp', { phone_number: phone }],
      ['POST', '/auth/verify', { phone_number: phone, otp: '123456' }],
      ['POST', '/auth/login', { phone_number: phone, password: 'x' }],
    ] as const)
      expect([path, ...seen(await user.call(method, path, body))]).toEqual([path, 503, enveloped(503)])
    const inVariantA = [await inA.post('/auth', { phoneNumber: phone }), await inA.get('/dashboard')]
    expect(inVariantA.map(seen)).toEqual([
      [503, plain(503)],
      [503, plain(503)],
    ])
    expect(seen(await sendRequest(it.url, 'GET', '/nothing'))).toEqual([404, enveloped(404)])
    const invalid = await sendRequest(it.url, 'POST', '/auth/send-otp', { body: {} })
    expect([invalid.status, invalid.error.code]).toEqual([400, 'VALIDATION_ERROR'])

    await it.restore()
    expect(await loadReadiness(it)).toEqual(ready)
    expect((await user.get('/dashboard')).status).toBe(200)
    await it.end()
  })

  test('started before its database: live at once, 503 until it comes, then ready', async () => {
    const it = await behindSocket({ reachable: false })
    expect([await loadLiveness(it), await loadReadiness(it)]).toEqual([live, [503, enveloped(503)]])
    await it.restore()
    await it.ready
    expect(await loadReadiness(it)).toEqual(ready)
    await it.end()
  })
})
