import { expect, test } from 'bun:test'
import { decryptText, toKeyId } from '../../../server/domain/encryption'
import { toPanPlace } from '../../../server/domain/pan'
import { renewEncryption } from '../../../server/jobs/renew-encryption'
import { testServer } from '../../support/server'
import { createLandlord } from '../../support/users'
import { getUser } from '../profile/fixtures'
import { setPan } from '../statements/fixtures'

const server = testServer()

test('what the secondary key encrypted is encrypted anew, once, and nothing without one', async () => {
  const users = [await createLandlord(server), await createLandlord(server), await createLandlord(server)]
  for (const user of users.slice(1)) await setPan(user)
  const load = () => Promise.all(users.map(user => getUser(server, user)))
  const { db, config } = server.deps
  const before = await load()
  const key = Buffer.alloc(32, 7).toString('base64')
  const keys = {
    CREDENTIALS_KEY: key,
    acceptedSecrets: { ...config.acceptedSecrets, CREDENTIALS_KEY: [key] },
  }
  await renewEncryption({ db, config: { ...config, ...keys } })
  expect(await load()).toEqual(before)

  const both = [key, config.CREDENTIALS_KEY]
  const rotated = {
    ...config,
    ...keys,
    CREDENTIALS_KEY_SECONDARY: config.CREDENTIALS_KEY,
    acceptedSecrets: { ...config.acceptedSecrets, CREDENTIALS_KEY: both },
  }
  await renewEncryption({ db, config: rotated })
  const [none, ...renewed] = await load()
  expect(none!.pan).toBeNull()
  for (const { pan, user_id } of renewed) {
    expect(pan).toStartWith(toKeyId(key))
    expect(decryptText([key], pan!, toPanPlace(user_id))).toBe('QWEPZ5678M')
  }
  await renewEncryption({ db, config: rotated })
  expect(await load()).toEqual([none!, ...renewed])
})
