import { expect, test } from 'bun:test'
import { useManualKyc } from '../../support/manual-kyc'
import { testServer } from '../../support/server'
import { createLandlord, createProperty, sendRequest, signInUser, type TestUser } from '../../support/users'

const server = testServer()
useManualKyc(server)
const automatic = testServer()

type Activity = {
  type: string
  message: string
  entity_type: string
  entity_id: number
  actor_id: number | null
}

/** The newest activities of a user, as `[type, message, entity_type, entity_id, actor_id]`. */
async function listFeed(user: TestUser, count: number) {
  const { data } = await user.get('/dashboard')
  return data.recent_activity
    .slice(0, count)
    .map(({ type, message, entity_type, entity_id, actor_id }: Activity) => [
      type,
      message,
      entity_type,
      entity_id,
      actor_id,
    ])
}

test('a landlord reads what they did to a property', async () => {
  const landlord = await createLandlord(automatic)
  const { property, path } = await createProperty(landlord, { alias_name: 'White House' })
  await landlord.patch(path, { alias_name: 'Green View' })
  await landlord.delete(path)

  const about = ['property', property.id, landlord.id]
  expect(await listFeed(landlord, 3)).toEqual([
    ['property_deleted', 'You removed Green View', ...about],
    ['property_updated', 'You changed Green View', ...about],
    ['property_created', 'You listed White House', ...about],
  ])
})

test('the feed has the completed profile with its user as actor, and identity checks without one', async () => {
  const user = await signInUser(server)
  await user.put('/profile/complete', { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' })
  const decide = async (outcome: string) => {
    const { body } = await user.call('POST', '/profile/ekyc', {})
    const check = String(body.data.verification_url).split('/').at(-1)
    await sendRequest(server, 'POST', `/sandbox/control/checks/${check}`, { body: { outcome } })
    await user.post('/profile/ekyc/complete', { verification_id: body.data.verification_id })
  }
  await decide('fail')
  await decide('approve')

  expect(await listFeed(user, 3)).toEqual([
    ['kyc_succeeded', 'Your identity was verified', 'kyc_request', expect.any(Number), null],
    ['kyc_failed', 'The check of your identity failed', 'kyc_request', expect.any(Number), null],
    ['profile_completed', 'You completed your profile', 'user', user.id, user.id],
  ])
})
