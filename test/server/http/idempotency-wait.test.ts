import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { waitUntil } from '../../support/round'
import { testServer } from '../../support/server'
import { completeProfile, sendRequest, signInUser } from '../../support/users'

const LOOK_S = 0.5
/** Together they take longer than the queries of one request may. */
const LOOKS = 6
const server = testServer({ env: { DATABASE_TIMEOUT_MS: '2500' }, poolSize: 10 })
const db = () => getKysely(server.em())

/** Counts the attempts to lease a key, and makes each of them slow. */
async function slowDownLooks() {
  await sql`create sequence looks minvalue 0`.execute(db())
  await sql`create function slow_down() returns trigger language plpgsql as $$ begin
    perform nextval('looks'), pg_sleep(${sql.lit(LOOK_S)});
    return new;
  end $$`.execute(db())
  await sql`create trigger slow_down before insert on idempotency_keys
    for each row execute function slow_down()`.execute(db())
}

async function countLooks() {
  const { rows } = await sql<{ last_value: string }>`select last_value from looks`.execute(db())
  return Number(rows[0]!.last_value)
}

/** From now on the provider answers once it is told so. */
function holdProvider() {
  const { kyc } = server.deps
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const start: typeof kyc.start = async urls => {
    asked.resolve()
    await released.promise
    return kyc.start(urls)
  }
  Object.assign(server.deps, { kyc: { ...kyc, start } })
  return { isAsked: asked.promise, release: released.resolve }
}

test('200: the second request of a key waits longer for a slow provider than its queries may take', async () => {
  const user = await signInUser(server)
  await completeProfile(user)
  await slowDownLooks()
  const { isAsked, release } = holdProvider()
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const send = () => sendRequest(server, 'POST', '/profile/ekyc', { token: user.token, body: {}, headers })

  const first = send()
  await isAsked
  let isAnswered = false
  const second = send().finally(() => (isAnswered = true))
  await waitUntil(async () => isAnswered || (await countLooks()) > LOOKS, `${LOOKS} looks at the key`, 20_000)
  release()

  const answers = await Promise.all([first, second])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[1].body).toEqual(answers[0].body)
}, 60_000)
