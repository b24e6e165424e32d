import type { MarkedClient, MarkedRequest } from './marked-client'
import type { Random } from './random'

/** Properties of the clients as the database holds them, one row a unit. */
export type UnitRow = {
  id: number
  landlord_id: number
  alias_name: string
  unit_id: number
  unit_notes: string
}

const UNITS = 2
const ANY_TAG = /mark[0-9a-f]{12}-\d+-/g

function toPropertyInput(tag: string) {
  const property_units = Array.from({ length: UNITS }, (_, index) => ({
    unit_name: `Unit ${index}`,
    unit_notes: tag,
  }))
  return { pin_code: 560048, property_type: 'pg', alias_name: tag, property_units }
}
const findTags = (text: string) => [...new Set(text.match(ANY_TAG))]

/** Sends one request after the other for a client, and holds each response against what was asked. */
export async function createLane(client: MarkedClient, random: Random) {
  const created: { id: number; tag: string }[] = []
  /** What the unit's notes may hold: the last acknowledged tag, and those of changes without a response. */
  let knownTag = client.createTag()
  let possibleTags: string[] = []

  const { data: property } = (await client.call('POST', '/properties', toPropertyInput(knownTag))).body
  const unit = property.property_units[0]
  created.push({ id: property.id, tag: knownTag })
  const unitPath = `/properties/${property.id}/units/${unit.id}`

  async function createProperty() {
    const tag = client.createTag()
    const request = { method: 'POST', path: '/properties', body: toPropertyInput(tag) }
    const response = await client.send(request, 201)
    if (response.outcome !== 'answered') return
    requireTags(request, response.text, [tag])
    created.push({ id: response.body.data.id, tag })
  }

  async function changeUnit() {
    const tag = client.createTag()
    possibleTags.push(tag)
    const request = { method: 'PATCH', path: unitPath, body: { unit_notes: tag } }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    requireTags(request, response.text, [tag])
    client.requireOwn(response.body.data.id === unit.id, request, response.text)
    knownTag = tag
    possibleTags = possibleTags.filter(each => each !== tag)
  }

  async function getUnit() {
    const request = { method: 'GET', path: unitPath }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    requireTags(request, response.text, [knownTag, ...possibleTags])
    client.requireOwn(response.body.data.id === unit.id, request, response.text)
  }

  async function listUnits() {
    const limit = random.integer(UNITS, 100)
    const request = { method: 'GET', path: `/properties/${property.id}/units?limit=${limit}` }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    const { data, metadata } = response.body
    const isOwn = data.length === UNITS && data.every((each: any) => each.property_id === property.id)
    client.requireOwn(isOwn && metadata.limit === limit, request, response.text)
  }

  async function listProperties() {
    const limit = random.integer(1, 5)
    const request = { method: 'GET', path: `/properties?limit=${limit}` }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    const { data, metadata } = response.body
    const isOwn = data.length > 0 && data.every((each: any) => each.landlord_id === client.id)
    client.requireOwn(isOwn && metadata.limit === limit, request, response.text)
  }

  async function getMe() {
    const request = { method: 'GET', path: '/auth/me' }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    client.requireOwn(response.body.data.user.phone === client.phone, request, response.text)
  }

  async function getDashboard() {
    const request = { method: 'GET', path: '/dashboard' }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    client.requireOwn(response.body.data.stats.total_properties > 0, request, response.text)
  }

  async function getMissingUnit() {
    const id = random.integer(1_000_000_000, 2_000_000_000)
    const request = { method: 'GET', path: `/properties/${property.id}/units/${id}` }
    const response = await client.send(request, 404)
    if (response.outcome === 'answered') requireTags(request, response.text, [])
  }

  /** A response may hold these tags alone. */
  function requireTags(request: MarkedRequest, text: string, allowed: string[]) {
    const isOwn = findTags(text).every(tag => allowed.includes(tag))
    const hasAny = allowed.length === 0 || findTags(text).length > 0
    client.requireOwn(isOwn && hasAny, request, text)
  }

  const reads = [getUnit, getUnit, listUnits, listProperties, getMe, getDashboard, getMissingUnit]
  const changes = [changeUnit, changeUnit, changeUnit, createProperty]

  return {
    getUnit,
    sendRandomRequest: () => random.pick(random.chance(0.7) ? reads : changes)(),
    /** Acknowledged changes of which the database holds something else. */
    findLostChanges: (rows: UnitRow[]) => {
      const lost = created.filter(({ id, tag }) => {
        const units = rows.filter(row => row.id === id)
        const isWhole = units.length === UNITS
        return !isWhole || units.some(row => row.alias_name !== tag || row.landlord_id !== client.id)
      })
      const found = rows.find(row => row.unit_id === unit.id)?.unit_notes ?? 'nothing'
      const isKept = [knownTag, ...possibleTags].includes(found)
      return [...lost.map(({ tag }) => tag), ...(isKept ? [] : [`${knownTag} became ${found}`])]
    },
  }
}
export type Lane = Awaited<ReturnType<typeof createLane>>
