import { expect, test } from 'bun:test'
import { waitUntil } from '../support/round'
import { databaseOfFile } from './database'
import { waitForLocks } from '../support/locks'

const LOCK = 4711
const { open } = await databaseOfFile()

test('the counts tell the connections in use from the statements that wait for one', async () => {
  const [holder, orm] = [open(), open({ poolSize: 2 })]
  const counts = () => orm.getConnectionCounts()
  const take = () => orm.sendStatement('select pg_advisory_xact_lock($1)', [LOCK])
  const taken: Promise<unknown>[] = []

  expect(counts()).toEqual({ in_use: 0, waiting: 0, max: 2 })
  await holder.transactional(async em => {
    await em.execute(`select pg_advisory_xact_lock(${LOCK})`)
    for (const expected of [
      { in_use: 1, waiting: 0, max: 2 },
      { in_use: 2, waiting: 0, max: 2 },
      { in_use: 2, waiting: 1, max: 2 },
    ]) {
      taken.push(take())
      expect(counts()).toEqual(expected)
    }
    await waitForLocks({ em: () => holder.fork() }, 2)
  })

  await Promise.all(taken)
  await waitUntil(() => counts().in_use === 0, 'the release of the connections')
})
