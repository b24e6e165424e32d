import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { recordActivities, type NewActivity } from '../../../server/domain/activities'
import { createAgreementIn } from '../../support/agreement-fixture'
import { waitForLocks } from '../../support/locks'
import { testServer } from '../../support/server'
import {
  createLandlord,
  createManager,
  createProperty,
  createTenant,
  type TestUser,
} from '../../support/users'

const server = testServer({ poolSize: 10 })
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

/** A landlord with a property, and what changes of it tell others. */
async function createOwner() {
  const landlord = await createLandlord(server)
  const { property } = await createProperty(landlord)
  const tell = (actor: TestUser, message: string, type: NewActivity['type'] = 'property_created') => ({
    type,
    message,
    entity_type: 'property' as const,
    entity_id: property.id as number,
    actor_id: actor.id,
    landlord_id: landlord.id,
  })
  return { landlord, tell }
}

const record = (user: TestUser, ...activities: NewActivity[]) =>
  server
    .em()
    .transactional(em =>
      recordActivities(em, new Date(), ...activities.map(each => ({ ...each, to: [user.id] }))),
    )

/** What a user's feed says of these, the oldest first. */
async function listMessages(user: TestUser, pattern = '%') {
  const rows = await getKysely(server.em())
    .selectFrom('activities')
    .where('user_id', '=', user.id)
    .where('message', 'like', pattern)
    .orderBy('id')
    .select('message')
    .execute()
  return rows.map(({ message }) => message)
}

test('a change again replaces the earlier one of the same person, not that of another', async () => {
  const [manager, tenant] = [await createManager(server), await createTenant(server)]
  const { landlord, tell } = await createOwner()
  await createAgreementIn(server, { owner: landlord, manager, tenant }, 'ACTIVE')
  await record(tenant, tell(landlord, 'told 1', 'property_updated'))
  await record(tenant, tell(manager, 'told 2', 'property_updated'))
  await record(tenant, tell(landlord, 'told 3', 'property_updated'))
  expect(await listMessages(tenant, 'told%')).toEqual(['told 2', 'told 3'])
})

test('five activities on the records of each landlord are all that a stranger reads', async () => {
  const stranger = await createTenant(server)
  const [first, second] = [await createOwner(), await createOwner()]
  for (const number of numbers(6)) await record(stranger, first.tell(first.landlord, `first ${number}`))
  await record(stranger, second.tell(second.landlord, 'second'))
  const messages = [
    ...numbers(6)
      .slice(1)
      .map(number => `first ${number}`),
    'second',
  ]
  expect(await listMessages(stranger)).toEqual(messages)
})

test('what strangers do themselves is all in their feeds, whatever others do then', async () => {
  const stranger = await createTenant(server)
  const { landlord, tell } = await createOwner()
  await record(stranger, ...numbers(7).map(number => tell(stranger, `own ${number}`)))
  for (const number of numbers(6)) await record(stranger, tell(landlord, `other ${number}`))
  expect(await listMessages(stranger, 'own%')).toHaveLength(7)
  expect(await listMessages(stranger, 'other%')).toHaveLength(5)
})

test('two changes at once fill the feed of a stranger no further than one after the other', async () => {
  const stranger = await createTenant(server)
  const { landlord, tell } = await createOwner()
  const [recorded, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tellFive = (word: string) => numbers(5).map(number => tell(landlord, `${word} ${number}`))
  const first = server.em().transactional(async em => {
    await recordActivities(em, new Date(), ...tellFive('first').map(each => ({ ...each, to: [stranger.id] })))
    recorded.resolve()
    await released.promise
  })
  await recorded.promise
  const second = record(stranger, ...tellFive('second'))
  await waitForLocks(server).finally(released.resolve)
  await Promise.all([first, second])
  expect(await listMessages(stranger)).toEqual(numbers(5).map(number => `second ${number}`))
})

test('users who have no account any more get no activities', async () => {
  const user = await createTenant(server)
  const { landlord, tell } = await createOwner()
  const setActive = (is_active: boolean) =>
    getKysely(server.em()).updateTable('users').set({ is_active }).where('id', '=', user.id).execute()
  await setActive(false)
  await record(user, tell(landlord, 'while away'))
  await setActive(true)
  await record(user, tell(landlord, 'back'))
  expect(await listMessages(user)).toEqual(['back'])
})
