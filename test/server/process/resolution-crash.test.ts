import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { findBrokenInvariants } from '../../support/books/invariants'
import { killServer, toStops } from '../../support/crash'
import { getPort, serverProcess } from '../../support/process'
import { startTestServer, type TestServer } from '../../support/server'
import { atServer } from '../../support/users'
import { createHouse, move, raise } from '../maintenance/fixtures'

/** A move with such a comment stops after its charge, or in its commit. */
const STOPS = toStops({
  inside: { table: 'maintenance_entries', when: "new.text = 'inside'" },
  commit: { table: 'maintenance_entries', when: "new.text = 'commit'" },
})

/** A request whose tenants bear its cost; `load` resolves to its status and the amounts that are charged. */
async function createCosted(server: TestServer) {
  const house = await createHouse(server)
  const { path } = await raise(house, house.tenant)
  await house.landlord.patch(path, { cost: 900, borne_by: 'tenant' })
  const load = async () => {
    const { data: request } = await house.landlord.get(path)
    const { data: charges } = await house.landlord.get(
      `/charges?agreement_id=${house.agreement.id}&type=maintenance`,
    )
    return [request.status, ...charges.map(({ amount }: { amount: number }) => amount)]
  }
  const resolve = (at: TestServer | string, comment: string) =>
    move(atServer(at, house.landlord), path, 'resolved', comment)
  return { load, resolve }
}

test('kill -9 while requests are resolved: both the status and the charge are there, or neither', async () => {
  const server = await startTestServer({ own: true })
  const [inside, commit] = [await createCosted(server), await createCosted(server)]
  await sql.raw(STOPS).execute(server.db)
  const { DATABASE_URL, JWT_SECRET } = server.deps.config
  const settings = { PORT: '0', RUN_JOBS: 'false', DATABASE_TIMEOUT_MS: '15000' }
  const victim = serverProcess({ ...settings, DATABASE_URL: DATABASE_URL!, JWT_SECRET: String(JWT_SECRET) })
  await victim.listening
  const url = `http://127.0.0.1:${getPort(victim)}`

  await killServer(server, {
    victim,
    send: () => [inside.resolve(url, 'inside'), commit.resolve(url, 'commit')],
    isCommitted: async () => (await commit.load())[0] === 'resolved',
  })

  expect(await inside.load()).toEqual(['open'])
  expect(await commit.load()).toEqual(['resolved', 900])
  expect((await inside.resolve(server, 'again')).status).toBe(200)
  expect((await commit.resolve(server, 'again')).status).toBe(403)
  for (const { load } of [inside, commit]) expect(await load()).toEqual(['resolved', 900])
  expect(await findBrokenInvariants(server.em())).toEqual([])
  await server.end()
})
