import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { openDatabase } from '../../../db/database'
import { readConfig } from '../../../server/config'
import { createLog } from '../../../server/observability/log'
import { startServer } from '../../../server/process/server'
import { freshDatabase } from '../../support/database'
import { sendRequest, freshPhone, createLandlord, type TestResponse } from '../../support/users'
import { startTestServer } from '../../support/server'
import { enveloped, plain } from '../http/forms'

const seen = ({ status, body }: TestResponse) => [status, body]
const live = [200, { success: true, data: { status: 'live' } }]
const ready = [200, { success: true, data: { status: 'ready' } }]
const secrets = {
  JWT_SECRET: 'a secret that only the tests know, of more than 32 bytes',
  ESIGN_WEBHOOK_SECRET: 'another secret that only the tests know, as long',
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

describe('with its database', () => {
  let it: Awaited<ReturnType<typeof startTestServer>>
  beforeAll(async () => void (it = await startTestServer()))
  afterAll(() => it.end())

  test('200: live and ready, in the envelope, without a token, whatever the token', async () => {
    for (const token of [undefined, 'x.y.z', `x.${btoa('{"variant":"a"}')}.x`]) {
      expect(seen(await sendRequest(it.url, 'GET', '/health/live', { token }))).toEqual(live)
      expect(seen(await sendRequest(it.url, 'GET', '/health/ready', { token }))).toEqual(ready)
    }
  })

  test('503: ready names a migration that the database lacks; live does not care', async () => {
    const it = await startTestServer()
    const removed = await it
      .em()
      .getConnection()
      .execute(
        'delete from mikro_orm_migrations where name = (select name from mikro_orm_migrations order by name desc limit 1) returning name',
      )
    expect(seen(await sendRequest(it.url, 'GET', '/health/ready'))).toEqual([
      503,
      enveloped(503, expect.stringContaining(removed[0]!.name)),
    ])
    expect(seen(await sendRequest(it.url, 'GET', '/health/live'))).toEqual(live)
    await it.end()
  })

  test('503: ready says that an empty database lacks migrations, not that it cannot be reached', async () => {
    const it = await startTestServer()
    await it.em().getConnection().execute('drop table mikro_orm_migrations')
    const { status, error } = await sendRequest(it.url, 'GET', '/health/ready')
    expect([status, error.reason]).toEqual([503, 'migrations_missing'])
    await it.end()
  })
})

describe('when the database goes', () => {
  test('503 everywhere in the right form, and all is well when it is back', async () => {
    const it = await behindSocket()
    await it.ready
    const person = await createLandlord(it.url)
    const phone = freshPhone()
    await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } })
    const {
      body: { access_token: ofA },
    } = await sendRequest(it.url, 'POST', '/auth/verify', { body: { phoneNumber: phone, otp: '123456' } })
    await it.lose()

    const unready = await sendRequest(it.url, 'GET', '/health/ready')
    expect([...seen(unready), Number(unready.headers.get('retry-after')) > 0]).toEqual([
      503,
      enveloped(503),
      true,
    ])
    expect(seen(await sendRequest(it.url, 'GET', '/health/live'))).toEqual(live)
    for (const [method, path, body] of [
      ['GET', '/auth/me'],
      ['GET', '/dashboard'],
      ['GET', '/properties'],
      ['POST', '/auth/logout', {}],
      ['POST', '/auth/send-otp', { phone_number: phone }],
      ['POST', '/auth/verify', { phone_number: phone, otp: '123456' }],
      ['POST', '/auth/login', { phone_number: phone, password: 'x' }],
      ['PUT', '/profile/complete', { first_name: 'A', last_name: 'B', email: 'a@b.co' }],
      ['POST', '/profile/ekyc', {}],
    ] as const) {
      const answer = await person.call(method, path, body)
      expect([path, ...seen(answer)]).toEqual([path, 503, enveloped(503)])
    }
    expect(seen(await sendRequest(it.url, 'POST', '/auth', { body: { phoneNumber: phone } }))).toEqual([
      503,
      plain(503),
    ])
    expect(seen(await sendRequest(it.url, 'GET', '/dashboard', { token: ofA }))).toEqual([503, plain(503)])
    expect(seen(await sendRequest(it.url, 'GET', '/nothing'))).toEqual([404, enveloped(404)])
    expect(seen(await sendRequest(it.url, 'POST', '/auth/send-otp', { body: {} }))).toMatchObject([
      400,
      { error: { code: 'VALIDATION_ERROR' } },
    ])

    await it.restore()
    expect(seen(await sendRequest(it.url, 'GET', '/health/ready'))).toEqual(ready)
    expect((await person.call('GET', '/dashboard')).status).toBe(200)
    await it.end()
  })

  test('started before its database: live at once, 503 until it comes, then ready', async () => {
    const it = await behindSocket({ reachable: false })
    expect(seen(await sendRequest(it.url, 'GET', '/health/live'))).toEqual(live)
    expect(seen(await sendRequest(it.url, 'GET', '/health/ready'))).toEqual([503, enveloped(503)])
    await it.restore()
    await it.ready
    expect(seen(await sendRequest(it.url, 'GET', '/health/ready'))).toEqual(ready)
    await it.end()
  })
})
