import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { decryptText, encryptText, toKeyId } from '../../../server/domain/encryption'
import { toPanPlace } from '../../../server/domain/pan'
import { renewEncryption } from '../../../server/accounts/profile/renew-encryption'
import { interrupt, lockRow } from '../../support/locks'
import { testServer } from '../../support/server'
import { createLandlord } from '../../support/users'
import { getUser } from '../accounts/profile/fixtures'
import { setPan } from '../books/statements/fixtures'

const server = testServer()
const key = Buffer.alloc(32, 7).toString('base64')

/** Renews with another key, beside which the server's is accepted or not. */
function renew({ hasOlder = true } = {}) {
  const { db, config } = server.deps
  const keys: [string, ...string[]] = hasOlder ? [key, config.CREDENTIALS_KEY] : [key]
  const acceptedSecrets = { ...config.acceptedSecrets, CREDENTIALS_KEY: keys }
  return renewEncryption({ db, config: { ...config, CREDENTIALS_KEY: key, acceptedSecrets } })
}

async function createLandlordWithPan() {
  const user = await createLandlord(server)
  await setPan(user)
  return user
}

test('what the older key encrypted is encrypted anew, once, and nothing without one', async () => {
  const users = [await createLandlord(server), await createLandlordWithPan(), await createLandlordWithPan()]
  const load = () => Promise.all(users.map(user => getUser(server, user)))
  const before = await load()
  await renew({ hasOlder: false })
  expect(await load()).toEqual(before)

  await renew()
  const [none, ...renewed] = await load()
  expect(none!.pan).toBeNull()
  for (const { pan, user_id } of renewed) {
    expect(pan).toStartWith(toKeyId(key))
    expect(decryptText([key], pan!, toPanPlace(user_id))).toBe('QWEPZ5678M')
  }
  await renew()
  expect(await load()).toEqual([none!, ...renewed])
})

test('a PAN that its user changes while the job renews it is the changed one', async () => {
  const user = await createLandlordWithPan()
  const { user_id } = await getUser(server, user)
  const changed = encryptText(key, 'ABCPZ1234K', toPanPlace(user_id))
  await interrupt(server, {
    lock: lockRow('users', user.id),
    start: renew,
    meanwhile: db => db.updateTable('users').where('id', '=', user.id).set({ pan: changed }).execute(),
  })
  expect((await getUser(server, user)).pan).toBe(changed)
})

test('five hundred PANs that no key opens stay, and hold up none after them', async () => {
  await sql`
    insert into users (phone, pan, created_at, updated_at)
    select 'lost ' || n, 'lost.' || n, now(), now() from generate_series(1, 500) n`.execute(server.db)
  const user = await createLandlordWithPan()
  await renew()
  expect((await getUser(server, user)).pan).toStartWith(toKeyId(key))
  const { rows } = await sql`select from users where pan like 'lost.%'`.execute(server.db)
  expect(rows).toHaveLength(500)
})
