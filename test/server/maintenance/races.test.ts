import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import { interrupt, interruptInOrder, lockRow } from '../../support/locks'
import { PDF } from '../../support/maintenance-fixture'
import type { TestResponse } from '../../support/users'
import { attach, createHouse, move, raise, REQUESTS, toRequest, type House } from './fixtures'

const server = booksServer()

const countCosts = async ({ landlord, agreement }: House) => {
  const { body } = await landlord.get(`/charges?agreement_id=${agreement.id}&type=maintenance`)
  return body.metadata.total as number
}

/** A request whose tenants bear its cost. */
async function createCosted() {
  const house = await createHouse(server)
  const { request, path } = await raise(house, house.tenant)
  await house.landlord.patch(path, { cost: 900, borne_by: 'tenant' })
  const resolve = () => move(house.landlord, path, 'resolved')
  return { house, request, path, resolve }
}

const toOutcomes = (responses: TestResponse[]) =>
  responses.map(({ status, error }) => error?.reason ?? status)

test.each(['agreements', 'maintenance_requests'] as const)(
  'of two resolutions at once, of landlord and manager, one posts the charge: both wait for a row of %s',
  async table => {
    const { house, request, path, resolve } = await createCosted()
    const id = table === 'agreements' ? house.agreement.id : request.id
    const responses = await interruptInOrder(server, lockRow(table, id), [
      resolve,
      () => move(house.manager, path, 'resolved'),
    ])
    expect(toOutcomes(responses)).toEqual([200, 'maintenance_request_wrong_status'])
    expect(await countCosts(house)).toBe(1)
    const { data } = await house.tenant.get(path)
    expect(data.entries.map(({ status }: { status: string }) => status)).toEqual(['open', 'resolved'])
  },
)

type Costed = Awaited<ReturnType<typeof createCosted>>
const others: Record<string, (costed: Costed) => Promise<TestResponse>> = {
  'a cancellation': ({ house, path }) => move(house.tenant, path, 'cancelled'),
  'a change of who bears the cost': ({ house, path }) => house.manager.patch(path, { borne_by: 'landlord' }),
}

test.each([
  ['a cancellation', 'first', [200, 'maintenance_request_wrong_status'], 0],
  ['a cancellation', 'second', ['maintenance_request_wrong_status', 200], 1],
  ['a change of who bears the cost', 'first', [200, 200], 0],
  ['a change of who bears the cost', 'second', ['cost_charged', 200], 1],
])(
  '%s comes %s and a resolution waits for the same row: %j, and %d charges',
  async (name, place, outcomes, charges) => {
    const costed = await createCosted()
    const other = () => others[name]!(costed)
    const requests = place === 'first' ? [other, costed.resolve] : [costed.resolve, other]
    const responses = await interruptInOrder(
      server,
      lockRow('maintenance_requests', costed.request.id),
      requests,
    )
    const [ofOther, ofResolution] = place === 'first' ? responses : responses.toReversed()
    expect(toOutcomes([ofOther!, ofResolution!])).toEqual(outcomes)
    expect(await countCosts(costed.house)).toBe(charges)
  },
)

test('of two attachments at once, the tenth and the eleventh, one is stored', async () => {
  const { house, request, path } = await createCosted()
  for (let n = 0; n < 9; n++) expect((await attach(house.tenant, path, PDF)).status).toBe(201)
  const responses = await interruptInOrder(server, lockRow('maintenance_requests', request.id), [
    () => attach(house.tenant, path, PDF),
    () => attach(house.landlord, path, PDF),
  ])
  expect(toOutcomes(responses)).toEqual([201, 'too_many_attachments'])
  expect((await house.tenant.get(path)).data.attachments).toHaveLength(10)
})

test('201: a tenant raises a request while something locks their lease, and then the tenant, as their erasure does', async () => {
  const house = await createHouse(server)
  const { status } = await interrupt(server, {
    lock: lockRow('agreements', house.agreement.id),
    start: () => house.tenant.post(REQUESTS, toRequest(house)),
    meanwhile: lockRow('users', house.tenant.id),
  })
  expect(status).toBe(201)
})
