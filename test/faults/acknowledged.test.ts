import { afterAll, expect, test } from 'bun:test'
import { sql } from 'kysely'
import { openDatabase, query } from '../../db/orm'
import { freshDatabase } from '../support/database'
import { freshPhone, signInUser, agreementTerms, type TestUser } from '../support/users'
import { freePort, serverProcess, type ServerProcess } from './process'

const full = process.env.FAULTS === 'full'
const KILLS = full ? 50 : 4
const AT_ONCE = full ? 16 : 8
let server: ServerProcess | undefined
afterAll(() => server?.child.kill('SIGKILL'))

const UNITS = 8

test(
  `every acknowledged write is there and none is half there after ${KILLS} kills under load`,
  async () => {
    const database = await freshDatabase()
    const PORT = freePort()
    const url = `http://127.0.0.1:${PORT}`
    const orm = openDatabase(database.url)
    // What was claimed by a server that is gone is free again after 15 s and twice the budget.
    const env = {
      PORT,
      DATABASE_URL: database.url,
      PROVIDER_TOTAL_TIMEOUT_MS: '1500',
      DATABASE_TIMEOUT_MS: '10000',
    }
    const start = async () => (server = serverProcess(env)).listening
    await start()
    const owners: TestUser[] = []
    const tenants: TestUser[] = []
    for (const people of [owners, tenants]) for (let n = 0; n < 4; n++) people.push(await signInUser(url))

    const acknowledged = {
      properties: [] as number[],
      agreements: [] as number[],
      tenants: [] as number[],
      names: new Map<number, { known: string; maybe: string[] }>(),
    }
    const answers: Record<string, number> = {}
    let busy = true
    const ask = async (person: TestUser, method: string, path: string, body: unknown, key?: string) => {
      const answer = await fetch(url + path, {
        method,
        signal: AbortSignal.timeout(25_000),
        headers: {
          authorization: `Bearer ${person.token}`,
          'content-type': 'application/json',
          ...(key && { 'idempotency-key': key }),
        },
        body: JSON.stringify(body),
      }).then(
        async response => ({ status: response.status, body: (await response.json()) as any }),
        () => ({ status: 0, body: undefined }),
      )
      answers[answer.status || 'lost'] = (answers[answer.status || 'lost'] ?? 0) + 1
      return answer
    }
    /** Once without a key; with one again and again, until it is answered. */
    const post = async (person: TestUser, path: string, body: unknown) => {
      const key = Math.random() < 0.5 ? crypto.randomUUID() : undefined
      let answer = await ask(person, 'POST', path, body, key)
      for (let tries = 0; key && tries < 40 && [0, 503].includes(answer.status); tries++) {
        await Bun.sleep(250)
        answer = await ask(person, 'POST', path, body, key)
      }
      if (answer.status !== 201 && answer.status !== 200) {
        if (![0, 503].includes(answer.status))
          throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
        await Bun.sleep(100)
        return undefined
      }
      return answer.body.data
    }
    const worker = async (n: number) => {
      const owner = owners[n % owners.length]!
      while (busy) {
        const property = await post(owner, '/properties', {
          pin_code: 560048,
          property_type: 'pg',
          alias_name: crypto.randomUUID(),
          property_units: Array.from({ length: UNITS }, (_, place) => ({ unit_name: `U-${place}` })),
        })
        if (!property) continue
        acknowledged.properties.push(property.id)
        const [unit] = property.property_units
        const name = { known: unit.unit_name as string, maybe: [] as string[] }
        acknowledged.names.set(unit.id, name)
        for (let change = 0; change < 3; change++) {
          const unit_name = `V-${crypto.randomUUID()}`
          name.maybe.push(unit_name)
          const changed = await ask(owner, 'PATCH', `/properties/${property.id}/units/${unit.id}`, {
            unit_name,
          })
          if (changed.status === 200) Object.assign(name, { known: unit_name, maybe: [] })
        }
        const parties = [tenants[n % 4]!, tenants[(n + 1) % 4]!]
        const agreement = await post(
          owner,
          '/agreements',
          agreementTerms(
            unit.id,
            parties.map(({ id }) => id),
          ),
        )
        if (agreement) acknowledged.agreements.push(agreement.id)
        const tenant = await post(owner, '/tenants', { phone_number: freshPhone(), first_name: 'Tara' })
        if (tenant) acknowledged.tenants.push(tenant.id)
      }
    }
    try {
      const workers = Promise.all(Array.from({ length: AT_ONCE }, (_, n) => worker(n)))
      for (let kills = 0; kills < KILLS; kills++) {
        await Bun.sleep(300 + Math.random() * 900)
        await server!.end('SIGKILL')
        await start()
      }
      await Bun.sleep(500)
      busy = false
      await workers

      const rows = async <T>(text: ReturnType<typeof sql<T>>) => (await text.execute(query(orm))).rows
      const ids = (list: number[]) => sql`${`{${list}}`}::int[]`
      const missing = async (table: string, list: number[]) =>
        (
          await rows(
            sql<{
              id: number
            }>`select id from unnest(${ids(list)}) id where not exists (select 1 from ${sql.table(table)} t where t.id = id.id)`,
          )
        ).map(({ id }) => id)
      expect(await missing('properties', acknowledged.properties)).toEqual([])
      expect(await missing('agreements', acknowledged.agreements)).toEqual([])
      expect(await missing('users', acknowledged.tenants)).toEqual([])
      const named = new Map(
        (
          await rows(
            sql<{
              id: number
              unit_name: string
            }>`select id, unit_name from property_units where id = any(${ids([...acknowledged.names.keys()])})`,
          )
        ).map(({ id, unit_name }) => [id, unit_name]),
      )
      expect(
        [...acknowledged.names].filter(
          ([id, { known, maybe }]) => ![known, ...maybe].includes(named.get(id) ?? 'gone'),
        ),
      ).toEqual([])

      // Acknowledged or not, what is there is whole.
      expect(
        await rows(sql`select p.id, count(u.id) as units, (select count(*) from activities a where a.entity_type = 'property' and a.entity_id = p.id) as told
      from properties p left join property_units u on u.property_id = p.id group by p.id having count(u.id) <> ${UNITS} or not exists (select 1 from activities a where a.entity_type = 'property' and a.entity_id = p.id)`),
      ).toEqual([])
      expect(
        await rows(sql`select a.id from agreements a
      where (select count(*) from agreement_tenants t where t.agreement_id = a.id) <> 2 or (select count(*) from agreement_events v where v.agreement_id = a.id and v.type = 'created') <> 1
        or not exists (select 1 from activities t where t.entity_type = 'agreement' and t.entity_id = a.id)`),
      ).toEqual([])
      // What was sent again under its key was made once.
      expect(
        await rows(sql`select alias_name from properties group by alias_name having count(*) > 1`),
      ).toEqual([])

      const [there] = await rows(
        sql<
          Record<string, number>
        >`select (select count(*) from properties) as properties, (select count(*) from agreements) as agreements`,
      )
      console.log(
        JSON.stringify({
          promise: 'kill -9',
          kills: KILLS,
          answers,
          acknowledged: {
            properties: acknowledged.properties.length,
            agreements: acknowledged.agreements.length,
            tenants: acknowledged.tenants.length,
            units_changed: acknowledged.names.size,
          },
          there,
        }),
      )
      expect(acknowledged.agreements.length).toBeGreaterThan(KILLS)
    } finally {
      busy = false
      await server?.end('SIGKILL')
      await orm.close()
      await database.drop()
    }
  },
  full ? 600_000 : 90_000,
)
