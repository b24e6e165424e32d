import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import {
  completeSigning,
  createDraft,
  createLandlord,
  createManager,
  createTenant,
  createUnit,
} from '../../support/users'

const START = new Date('2030-05-01T06:00:00Z')
const server = testServer({ overrides: { now: clock(START).now } })

test('what happens is dated by the clock of the server', async () => {
  const [landlord, manager, tenant] = [
    await createLandlord(server),
    await createManager(server),
    await createTenant(server),
  ]
  const { property, path } = await createUnit(landlord)
  await landlord.patch(`/properties/${property.id}`, { alias_name: 'White House' })
  await landlord.patch(path, { managed_by_id: manager.id })
  await manager.post(`${path}/resign`)
  await landlord.delete(path)
  await landlord.delete(`/properties/${property.id}`)

  const deleted = await createDraft(landlord, [tenant])
  await landlord.patch(deleted.path, { rent_amount: 1 })
  await landlord.delete(deleted.path)
  const drawn = await createDraft(landlord, [tenant])
  await landlord.post(`${drawn.path}/sign`, { signer_id: tenant.id })
  const { data: revised } = await landlord.post(`${drawn.path}/revise`, {})
  for (const party of [landlord, tenant]) await completeSigning(party, revised.id, party.id)
  await landlord.post(`/agreements/${revised.id}/renew`, {})
  await landlord.post(`/agreements/${revised.id}/terminate`, {})

  const db = server.db
  for (const table of ['activities', 'timeline_entries'] as const) {
    const rows = await db.selectFrom(table).select(['type', 'occurred_at']).execute()
    expect(rows.length).toBeGreaterThan(10)
    expect(rows.filter(({ occurred_at }) => new Date(occurred_at).getTime() !== START.getTime())).toEqual([])
  }
})
