import { expect, test } from 'bun:test'
import { storeDueEvidence } from '../../../server/leases/evidence/job'
import { booksServer } from '../../support/books/lease-fixture'
import { PDF } from '../../support/maintenance-fixture'
import { requireSuccess, type TestUser } from '../../support/users'
import { createHouse, move, raise, type House } from '../maintenance/fixtures'
import { erase } from './erasing'

const server = booksServer('2026-12-01')
const vendor = { vendor_name: 'Ravi Plumbing', vendor_phone: '9876543210' }

/** A user says something about a request, and attaches a file. */
async function takePart(user: TestUser, path: string) {
  requireSuccess(await user.post(`${path}/comments`, { text: `Of ${user.id}` }), 'Commenting')
  const { data } = requireSuccess(await user.post(`${path}/attachments`, PDF), 'Attaching a file')
  return data.attachment_id as string
}

/** A request of each side with words and files of both, resolved at the tenant's cost; then their lease ends. */
async function createRequests(house: House) {
  const { landlord, manager, tenant } = house
  const paths: string[] = []
  for (const raiser of [tenant, landlord]) {
    const { path } = await raise(house, raiser, { description: `Written by ${raiser.id}` })
    for (const user of [landlord, manager, tenant]) await takePart(user, path)
    await landlord.patch(path, { ...vendor, cost: 850.5, borne_by: 'tenant' })
    requireSuccess(await move(landlord, path, 'resolved', 'Done by the landlord'), 'Resolving')
    requireSuccess(await move(raiser, path, 'closed', 'Closed by who raised it'), 'Closing')
    paths.push(path)
  }
  await landlord.post(`${house.path}/terminate`, {})
  await storeDueEvidence(server.deps)
  return paths as [ofTenant: string, ofLandlord: string]
}

/** A request as a user reads it, and who is left of those who took part. */
async function load(reader: TestUser, path: string) {
  const { data: request } = await reader.get(path)
  const { data: comments } = await reader.get(`${path}/comments`)
  const { entries, attachments, ...fields } = request
  return {
    fields,
    comments: comments.map(({ text }: { text: string }) => text),
    states: entries.map(({ status, comment }: { status: string; comment: string | null }) => [
      status,
      comment,
    ]),
    owners: attachments.map(({ created_by_id }: { created_by_id: number }) => created_by_id),
  }
}

const countFiles = async () =>
  (await server.db.selectFrom('maintenance_files').select('attachment_id').execute()).length

test('of a tenant their words and files go, and the work, its cost and the words of others stay', async () => {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const { landlord, manager, tenant } = house
  const [ofTenant, ofLandlord] = await createRequests(house)
  const [own, other] = [await load(landlord, ofTenant), await load(landlord, ofLandlord)]
  const files = await countFiles()

  await erase(server, tenant)

  const erased = { title: 'Erased', description: null, updated_at: expect.any(String) }
  const words = [`Of ${landlord.id}`, `Of ${manager.id}`, 'Done by the landlord']
  const charge = `/charges/${own.fields.charge_id}`
  expect(own.fields).toMatchObject({ ...vendor, cost: 850.5 })
  expect(await load(landlord, ofTenant)).toEqual({
    fields: { ...own.fields, ...erased },
    comments: words,
    states: [
      ['open', null],
      ['resolved', 'Done by the landlord'],
      ['closed', null],
    ],
    owners: [landlord.id, manager.id],
  })
  expect(await load(landlord, ofLandlord)).toEqual({
    ...other,
    comments: [...words, 'Closed by who raised it'],
    owners: [landlord.id, manager.id],
  })
  expect(await countFiles()).toBe(files - 2)
  const { data } = await landlord.get(charge)
  expect(data).toMatchObject({ amount: 850.5, description: 'Maintenance' })
})

test('of a landlord their words, files and vendors go, and what the tenant wrote stays', async () => {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const { landlord, manager, tenant } = house
  const [ofTenant, ofLandlord] = await createRequests(house)
  const [own, other] = [await load(tenant, ofTenant), await load(tenant, ofLandlord)]

  await erase(server, landlord)

  const erased = { vendor_name: null, vendor_phone: null, updated_at: expect.any(String) }
  expect(await load(tenant, ofTenant)).toEqual({
    fields: { ...own.fields, ...erased },
    comments: [`Of ${manager.id}`, `Of ${tenant.id}`, 'Closed by who raised it'],
    states: [
      ['open', null],
      ['resolved', null],
      ['closed', 'Closed by who raised it'],
    ],
    owners: [manager.id, tenant.id],
  })
  const { fields, comments } = await load(tenant, ofLandlord)
  expect(fields).toEqual({ ...other.fields, ...erased, title: 'Erased', description: null })
  expect(comments).toEqual([`Of ${manager.id}`, `Of ${tenant.id}`])
})

test('of a manager their internal comments go too', async () => {
  const house = await createHouse(server)
  const { landlord, manager } = house
  const { path } = await raise(house, landlord)
  for (const user of [landlord, manager])
    await user.post(`${path}/comments`, { text: `Internal of ${user.id}`, is_internal: true })

  await erase(server, manager)

  expect((await load(landlord, path)).comments).toEqual([`Internal of ${landlord.id}`])
})
