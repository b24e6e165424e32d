import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { getKysely } from '../../../db/database'
import { startSecondInstance, testServer } from '../../support/server'
import { atServer, createLandlord } from '../../support/users'

const server = testServer()

test('200: an export may take longer than the database may for another request, which gets 503', async () => {
  const landlord = await createLandlord(server)
  const hurried = await startSecondInstance(server, { DATABASE_TIMEOUT_MS: '2500' })
  const user = atServer(hurried, landlord)
  try {
    const exported = await server.em().transactional(async em => {
      await sql`lock table activities in access exclusive mode`.execute(getKysely(em))
      const request = user.get('/auth/me/export')
      expect((await user.get('/dashboard')).status).toBe(503)
      return { request }
    })
    expect((await exported.request).status).toBe(200)
  } finally {
    await hurried.stop()
  }
})
