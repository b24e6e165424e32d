import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPayments } from './case-requests'
import { fill } from './fill'
import { getLayout, getOwnLeaseId } from './layout'
import { createRequest, sendRaw } from './load'
import { createWorld } from './world'
import { findBrokenInvariants } from '../support/books/invariants'
import { testServer } from '../support/server'

const OWNED = 200
const layout = getLayout(OWNED)
const server = testServer()
let sql: Bun.SQL
beforeAll(() => void (sql = new Bun.SQL(server.deps.config.DATABASE_URL!, { max: 1 })))
afterAll(() => sql.end())

test('the filled books and those of fresh leases hold together, and payments are posted to them', async () => {
  await fill(sql, OWNED)
  const { JWT_SECRET } = server.deps.config
  const world = await createWorld(sql, layout, { JWT_SECRET, ESIGN_WEBHOOK_SECRET: '', SANDBOX_OTP: '' })
  const post = async (request: Buffer) => {
    const { status, body } = await sendRaw(Number(new URL(server.url).port), request)
    return { status, data: JSON.parse(body).data }
  }

  for (const request of await createPayments(world, 3))
    expect(await post(request)).toMatchObject({
      status: 201,
      data: { allocations: [{ amount: 25_000 }, { amount: 2500 }], unapplied_amount: 0 },
    })
  const filled = `/agreements/${getOwnLeaseId(layout, 1, 1)}/payments`
  const { token } = world.readers[0]!
  const body = { amount: 25_000, method: 'cash' }
  expect(await post(createRequest('POST', filled, { token, body }))).toMatchObject({
    status: 201,
    data: { allocations: [{ amount: 25_000 }] },
  })
  const broken = await findBrokenInvariants(server.em())
  // Hashes that SQL makes up are no chain.
  expect(broken.filter(each => !/^the chain of \d+ breaks$/.test(each))).toEqual([])
})
