import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'
import { interrupt, lockRow } from '../../../support/locks'
import { testServer } from '../../../support/server'
import { completeSigning, createActiveAgreement, createUnit, signInUser } from '../../../support/users'
import { signingFixtures } from '../signing/signing-fixtures'

const server = testServer()
const { createManagedDraft } = signingFixtures(server)

test('404: a change of a draft that waits while the draft moves to a unit that the caller does not manage', async () => {
  const { owner, manager, agreement, path } = await createManagedDraft()
  const { unit: other } = await createUnit(owner)

  const { status } = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => manager.patch(path, { rent_amount: 1 }),
    meanwhile: db => {
      const moved = db.updateTable('agreements').set({ property_unit_id: other.id })
      return moved.where('id', '=', agreement.id).execute()
    },
  })

  expect(status).toBe(404)
  expect((await owner.get(path)).data.rent_amount).toBe(agreement.rent_amount)
})

type ManagedDraft = Awaited<ReturnType<typeof createManagedDraft>>
test.each<[what: string, change: (draft: ManagedDraft) => Promise<unknown>, status: number, reason: string]>([
  [
    'the manager who signs is replaced',
    ({ owner, unitPath }) => owner.patch(unitPath, { managed_by_id: null }),
    403,
    'not_a_party',
  ],
  [
    'a tenant loses the account',
    ({ tenant }) => {
      const users = server.db.updateTable('users').where('id', '=', tenant.id)
      return users.set({ is_active: false }).execute()
    },
    400,
    'tenants_erased',
  ],
])('%s while the first request is being sent; the agreement stays a draft', async (_, change, ...refusal) => {
  const fixture = await createManagedDraft()
  const { owner, manager, path } = fixture
  const { signing } = server.deps
  const initiate: typeof signing.initiate = async request => {
    await change(fixture)
    return signing.initiate(request)
  }
  server.deps.signing = { ...signing, initiate }

  const { status, error } = await owner
    .post(`${path}/sign`, { signer_id: manager.id })
    .finally(() => (server.deps.signing = signing))

  expect([status, error.reason]).toEqual(refusal)
  expect((await owner.get(path)).data.status).toBe('DRAFT')
})

test('200: a signed document that two download at once is stored once', async () => {
  const [owner, tenant] = [await signInUser(server), await signInUser(server)]
  const { agreement, path } = await createActiveAgreement(owner, [tenant])

  const { signing } = server.deps
  // To draw the sandbox's document takes long, and is not the point.
  server.deps.signing = { ...signing, download: async () => Buffer.from('%PDF-') }
  const downloads = await interrupt(server, {
    lock: lockRow('agreements', agreement.id),
    start: () => Promise.all([owner, tenant].map(person => person.get(`${path}/document`))),
    waitingCount: 2,
  }).finally(() => (server.deps.signing = signing))

  expect(downloads.map(({ status }) => status)).toEqual([200, 200])
  const { data } = await owner.get(`${path}/timeline`)
  const stored = data.entries.filter(({ type }: { type: string }) => type === 'document_stored')
  expect(stored).toHaveLength(1)
})

/** A paid deposit of ₹1,00,000, and a draft of the next term that only the tenant has yet to sign. */
async function createRenewal(books: Awaited<ReturnType<typeof startBooksServer>>) {
  const lease = await createLease(books, { deposit_amount: 100_000 })
  const { landlord, tenant, path } = lease
  await landlord.post(`${path}/payments`, { amount: 100_000, method: 'upi' })
  const { data: renewal } = await landlord.post(`${path}/renew`, {})
  await completeSigning(landlord, renewal.id, landlord.id)
  return { lease, landlord, renewal, sign: () => completeSigning(tenant, renewal.id, tenant.id) }
}

test('a renewal becomes active after a change of the lease before it, whose deposit it then finds closed', async () => {
  await using books = await startBooksServer()
  const { lease, landlord, renewal, sign } = await createRenewal(books)
  const free: number[] = []

  await interrupt(books, {
    lock: lockRow('agreements', lease.agreement.id),
    start: sign,
    meanwhile: async db => {
      const next = db.selectFrom('agreements').where('id', '=', renewal.id).select('id')
      free.push(...(await next.forUpdate().skipLocked().execute()).map(({ id }) => id))
      const of = db.updateTable('agreements').where('id', '=', lease.agreement.id)
      await of.set({ status: 'COMPLETED' }).execute()
    },
  })

  // The older of two leases is locked first, so that no two changes wait for each other.
  expect(free).toEqual([renewal.id])
  expect((await landlord.get(`/agreements/${renewal.id}`)).data.status).toBe('ACTIVE')
  expect((await landlord.get(`/agreements/${renewal.id}/deposit`)).data.from_previous).toBe(0)
})
