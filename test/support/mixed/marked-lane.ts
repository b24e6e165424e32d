import type { MarkedClient, MarkedRequest } from './marked-client'
import type { Random } from '../random'

/** The clients' properties in the database, one row a unit. */
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

export type Lane = Awaited<ReturnType<typeof createLane>>
type LaneState = {
  client: MarkedClient
  created: { id: number; tag: string }[]
  property: any
  unit: any
  unitPath: string
  /** The last acknowledged tag of the unit's notes. */
  knownTag: string
  /** The tags of changes without a response, which the notes may hold too. */
  possibleTags: string[]
}

/** Sends one request after the other for a client, and checks each response against the request. */
export async function createLane(client: MarkedClient, random: Random) {
  const knownTag = client.createTag()
  const { data: property } = (await client.call('POST', '/properties', toPropertyInput(knownTag))).body
  const unit = property.property_units[0]
  const created = [{ id: property.id, tag: knownTag }]
  const unitPath = `/properties/${property.id}/units/${unit.id}`
  const lane: LaneState = { client, created, property, unit, unitPath, knownTag, possibleTags: [] }

  const { getUnit, ...otherReads } = createReads(lane, random)
  const { changeUnit, createProperty } = createChanges(lane)
  const reads = [getUnit, getUnit, ...Object.values(otherReads)]
  const changes = [changeUnit, changeUnit, changeUnit, createProperty]
  return {
    getUnit,
    sendRandomRequest: () => random.pick(random.chance(0.7) ? reads : changes)(),
    findLostChanges: (rows: UnitRow[]) => findLostChanges(lane, rows),
  }
}

/** Requires that the response holds no other tags than these. */
function requireTags({ client }: LaneState, request: MarkedRequest, text: string, allowed: string[]) {
  const isOwn = findTags(text).every(tag => allowed.includes(tag))
  const hasAny = allowed.length === 0 || findTags(text).length > 0
  client.requireOwn(isOwn && hasAny, request, text)
}

function createChanges(lane: LaneState) {
  const { client, unit, unitPath } = lane

  async function createProperty() {
    const tag = client.createTag()
    const request = { method: 'POST', path: '/properties', body: toPropertyInput(tag) }
    const response = await client.send(request, 201)
    if (response.outcome !== 'answered') return
    requireTags(lane, request, response.text, [tag])
    lane.created.push({ id: response.body.data.id, tag })
  }

  async function changeUnit() {
    const tag = client.createTag()
    lane.possibleTags.push(tag)
    const request = { method: 'PATCH', path: unitPath, body: { unit_notes: tag } }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    requireTags(lane, request, response.text, [tag])
    client.requireOwn(response.body.data.id === unit.id, request, response.text)
    lane.knownTag = tag
    lane.possibleTags = lane.possibleTags.filter(each => each !== tag)
  }

  return { createProperty, changeUnit }
}

function createReads(lane: LaneState, random: Random) {
  const { client, property, unit, unitPath } = lane
  const get = (path: string, isOwn: (body: any) => boolean) => readOwn(client, path, isOwn)

  async function getUnit() {
    const request = { method: 'GET', path: unitPath }
    const response = await client.send(request, 200)
    if (response.outcome !== 'answered') return
    requireTags(lane, request, response.text, [lane.knownTag, ...lane.possibleTags])
    client.requireOwn(response.body.data.id === unit.id, request, response.text)
  }

  async function listProperties() {
    const limit = random.integer(1, 5)
    await get(`/properties?limit=${limit}`, ({ data, metadata }) => {
      const isOwn = data.length > 0 && data.every((each: any) => each.landlord_id === client.id)
      return isOwn && metadata.limit === limit
    })
  }

  const getMe = () => get('/auth/me', ({ data }) => data.user.phone === client.phone)

  async function getMissingUnit() {
    const id = random.integer(1_000_000_000, 2_000_000_000)
    const request = { method: 'GET', path: `/properties/${property.id}/units/${id}` }
    const response = await client.send(request, 404)
    if (response.outcome === 'answered') requireTags(lane, request, response.text, [])
  }

  return { getUnit, listProperties, getMe, getMissingUnit }
}

async function readOwn(client: MarkedClient, path: string, isOwn: (body: any) => boolean) {
  const request = { method: 'GET', path }
  const response = await client.send(request, 200)
  if (response.outcome !== 'answered') return
  client.requireOwn(isOwn(response.body), request, response.text)
}

/** Returns the acknowledged changes that the database does not hold. */
function findLostChanges({ client, created, unit, knownTag, possibleTags }: LaneState, rows: UnitRow[]) {
  const lost = created.filter(({ id, tag }) => {
    const units = rows.filter(row => row.id === id)
    const isComplete = units.length === UNITS
    return !isComplete || units.some(row => row.alias_name !== tag || row.landlord_id !== client.id)
  })
  const found = rows.find(row => row.unit_id === unit.id)?.unit_notes ?? 'nothing'
  const isStored = [knownTag, ...possibleTags].includes(found)
  return [...lost.map(({ tag }) => tag), ...(isStored ? [] : [`${knownTag} became ${found}`])]
}
