import { expect, test } from 'bun:test'
import { getKysely } from '../../../db/database'
import { testServer } from '../../support/server'
import { createCompletedUser, startCheck } from './fixtures'

const server = testServer()
const names = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

test('404: no part of the profile of a user who is no longer active', async () => {
  const user = await createCompletedUser(server)
  const { verification_id } = await startCheck(user)
  const db = getKysely(server.em())
  await db.updateTable('users').set({ is_active: false }).where('id', '=', user.id).execute()

  const answers = [
    await user.put('/profile/complete', names),
    await user.put('/profile/complete', { ...names, password: 'long enough' }),
    await user.post('/profile/ekyc', {}),
    await user.post('/profile/ekyc/complete', { verification_id }),
  ]

  for (const { status, error } of answers) expect([status, error?.reason]).toEqual([404, 'user_not_found'])
})
