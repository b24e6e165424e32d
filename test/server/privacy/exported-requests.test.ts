import { expect, test } from 'bun:test'
import { booksServer } from '../../support/books/lease-fixture'
import { PDF } from '../../support/maintenance-fixture'
import { createTenant, requireSuccess, type TestUser } from '../../support/users'
import { createHouse, createNextLease, move, raise } from '../maintenance/fixtures'

const server = booksServer('2026-12-01')

const INTERNAL = 'They broke it themselves'

/** A request of a tenant with a word and a file of each, and an internal one of the landlord's side. */
async function createRequest() {
  const house = await createHouse(server, { agreement_start_date: '2026-11-01' })
  const { landlord, manager, tenant } = house
  const { request, path } = await raise(house, tenant, { description: 'Since Monday' })
  for (const user of [landlord, manager, tenant]) {
    const text = `Of ${user.id}`
    requireSuccess(await user.post(`${path}/comments`, { text }), 'Commenting')
    requireSuccess(await user.post(`${path}/attachments`, PDF), 'Attaching a file')
  }
  await manager.post(`${path}/comments`, { text: INTERNAL, is_internal: true })
  await landlord.patch(path, { vendor_name: 'Ravi Plumbing', cost: 850.5, borne_by: 'tenant' })
  await move(landlord, path, 'resolved', 'Done')
  return { house, request, path }
}

type Entry = { status: string | null; text: string | null; [field: string]: unknown }

/** What the GETs show a user, in the form of an export. */
async function loadShown(user: TestUser) {
  const { data: requests } = await user.get('/maintenance-requests?sort=id')
  const paths = requests.map(({ id }: { id: number }) => `/maintenance-requests/${id}`)
  const details = await Promise.all(paths.map(async (path: string) => (await user.get(path)).data))
  const comments = await Promise.all(
    paths.map(async (path: string) => (await user.get(`${path}/comments`)).data),
  )
  return {
    requests,
    comments: comments.flat(),
    entries: details.flatMap(({ entries }) => entries),
    attachments: details.flatMap(({ attachments }) => attachments),
  }
}

async function loadExported(user: TestUser) {
  const { tables } = (await user.get('/auth/me/export')).data
  const entries: Entry[] = tables.maintenance_entries
  const withoutIds = ({ id: _id, maintenance_request_id: _, ...attachment }: Record<string, unknown>) =>
    attachment
  return {
    requests: tables.maintenance_requests,
    comments: entries
      .filter(({ text }) => text !== null)
      .map(({ maintenance_request_id: _, status: _status, ...comment }) => comment),
    entries: entries
      .filter(({ status }) => status !== null)
      .map(({ status, created_by_id, text, created_at }) => ({
        status,
        actor_id: created_by_id,
        comment: text,
        occurred_at: created_at,
      })),
    attachments: tables.maintenance_attachments.map(withoutIds),
  }
}

const listTexts = ({ comments }: { comments: Record<string, unknown>[] }) => comments.map(({ text }) => text)

test("an export has the requests of both sides as they are shown, and internal comments for the landlord's side", async () => {
  const { house } = await createRequest()
  const { landlord, manager, tenant, coTenant } = house
  const open = [landlord.id, manager.id, tenant.id].map(id => `Of ${id}`)

  for (const user of [landlord, manager, tenant, coTenant]) {
    const exported = await loadExported(user)
    expect(exported).toEqual(await loadShown(user))
    const isOfLandlordSide = user === landlord || user === manager
    expect(listTexts(exported)).toEqual([...open, ...(isOfLandlordSide ? [INTERNAL] : []), 'Done'])
    expect(exported.attachments).toHaveLength(3)
  }
})

test('an export has no bytes of a file', async () => {
  const { house } = await createRequest()
  const text = JSON.stringify((await house.landlord.get('/auth/me/export')).data)
  expect(text).toContain('application/pdf')
  expect(text).not.toContain('maintenance_files')
  expect(text).not.toMatch(/25504446|%PDF|JVBERi/)
})

test('an export has the requests of a lease that has ended for its tenant, and not for the next one', async () => {
  const { house, request } = await createRequest()
  await house.landlord.post(`${house.path}/terminate`, {})
  const next = await createTenant(server)
  await createNextLease(house, next, '2027-01-01')

  const exported = await loadExported(house.tenant)

  expect(exported).toEqual(await loadShown(house.tenant))
  expect(exported.requests).toMatchObject([{ id: request.id }])
  expect(await loadExported(next)).toEqual({ requests: [], comments: [], entries: [], attachments: [] })
})

test('an export has what a former manager wrote, and nothing else of its requests', async () => {
  const { house, path } = await createRequest()
  const { landlord, manager, unitPath } = house
  await landlord.patch(unitPath, { managed_by_id: landlord.id })
  await landlord.post(`${path}/comments`, { text: 'Later' })

  const { requests, comments, attachments } = await loadExported(manager)

  expect([requests, attachments]).toEqual([[], []])
  expect(listTexts({ comments })).toEqual([`Of ${manager.id}`, INTERNAL])
})
