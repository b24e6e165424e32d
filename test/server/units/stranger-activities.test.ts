import { expect, test } from 'bun:test'
import { interrupt } from '../../support/locks'
import { testServer } from '../../support/server'
import {
  agreementTerms,
  completeSigning,
  createLandlord,
  createProperty,
  signInUser,
  type TestUser,
} from '../../support/users'

const server = testServer({ poolSize: 20 })
/** What one other may cause in a feed of twenty activities, until its user has signed for the landlord. */
const MAX = 5
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

type Activity = { message: string; actor_id: number }

/** The newest activities of a user that another has caused. */
async function listCausedBy(actor: TestUser, user: TestUser): Promise<Activity[]> {
  const { data } = await user.get('/dashboard')
  return data.recent_activity.filter(({ actor_id }: Activity) => actor_id === actor.id)
}

/** A landlord with a property, and a person who never agreed to manage its units. */
async function createStranger() {
  const [landlord, stranger] = [await createLandlord(server), await createLandlord(server)]
  const { path } = await createProperty(landlord)
  const createUnit = async (unit_name: string) => {
    const { data } = await landlord.post(`${path}/units`, { unit_name, managed_by_id: stranger.id })
    return { id: data.id as number, path: `${path}/units/${data.id}` }
  }
  return { landlord, stranger, createUnit }
}

test('units that are created and deleted again and again fill no feed of a stranger', async () => {
  const { landlord, stranger, createUnit } = await createStranger()
  for (const number of numbers(12)) {
    const { path } = await createUnit(`Unit ${number}`)
    await landlord.delete(path)
  }

  const messages = (await listCausedBy(landlord, stranger)).map(({ message }) => message)
  expect(messages).toHaveLength(MAX)
  expect(messages[0]).toBe('The unit Unit 12 was removed')
  expect((await listCausedBy(stranger, stranger)).length).toBeGreaterThan(0)
  expect(await listCausedBy(landlord, landlord)).toHaveLength(20)
})

test('nor do the units of one new property', async () => {
  const { landlord, stranger, createUnit } = await createStranger()
  await createUnit('Before')
  const property_units = numbers(10).map(number => ({
    unit_name: `Unit ${number}`,
    managed_by_id: stranger.id,
  }))
  await createProperty(landlord, { property_units })

  const messages = (await listCausedBy(landlord, stranger)).map(({ message }) => message)
  expect(messages).toEqual([10, 9, 8, 7, 6].map(number => `The unit Unit ${number} was listed`))
})

test('nor do changes at the same time', async () => {
  const { landlord, stranger, createUnit } = await createStranger()
  const units: { path: string }[] = []
  for (const number of numbers(8)) units.push(await createUnit(`Unit ${number}`))

  await interrupt(server, {
    lock: tx => tx.selectFrom('users').where('id', '=', stranger.id).select('id').forUpdate().execute(),
    start: () => Promise.all(units.map(({ path }) => landlord.delete(path))),
    waitingCount: 2, // as many changes as one user makes at once
  })

  expect(await listCausedBy(landlord, stranger)).toHaveLength(MAX)
})

test('nor do requests for a signature that are cancelled, or asked for by the landlord', async () => {
  const { landlord, stranger, createUnit } = await createStranger()
  const tenant = await createLandlord(server)
  const { id } = await createUnit('A')
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(id, [tenant.id]))
  const path = `/agreements/${agreement.id}`
  for (const _ of numbers(6)) {
    const { data } = await landlord.post(`${path}/sign`, { signer_id: landlord.id })
    await landlord.post(`${path}/signatures/${data.signature_id}/cancel`)
  }

  for (const other of [stranger, tenant]) expect(await listCausedBy(landlord, other)).toHaveLength(MAX)
})

test('a person who has signed for the landlord sees all of their activities', async () => {
  const { landlord, stranger, createUnit } = await createStranger()
  const [{ id }, tenant] = [await createUnit('A'), await signInUser(server)]
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(id, [tenant.id]))
  await completeSigning(stranger, agreement.id, stranger.id)
  for (const number of numbers(2 * MAX)) await createUnit(`Unit ${number}`)

  expect((await listCausedBy(landlord, stranger)).length).toBeGreaterThan(2 * MAX)
})

test('a landlord sees all activities of their manager', async () => {
  const { landlord, stranger: manager, createUnit } = await createStranger()
  for (const number of numbers(MAX + 1)) {
    const { path } = await createUnit(`Unit ${number}`)
    await manager.patch(path, { floor_number: number })
  }

  expect(await listCausedBy(manager, landlord)).toHaveLength(MAX + 1)
})

test.each([
  'Call 98765 43210 now',
  'कॉल ९८७६५-४३२१०',
  '9876 5432',
  'Call 98765x43210',
  'WhatsApp me: 987six543210',
  '⑨⑧⑦⑥⑤④③②①⓪',
  'evil。com',
  'evil\u2024com/x',
  '1.1.1.1/x',
])('the name %s reads as a phone number or an address, and appears in no feed', async unit_name => {
  const { landlord, stranger, createUnit } = await createStranger()
  await createUnit(unit_name)
  const [activity] = await listCausedBy(landlord, stranger)
  expect(activity!.message).toBe('A unit was listed')
})
