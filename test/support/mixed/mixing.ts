import { expect } from 'bun:test'
import type { Random } from '../random'
import { report, runTogether, waitUntil } from '../round'
import type { startFaultyProxy } from './faulty-proxy'
import { createMarkedClient } from './marked-client'
import { createLane, type UnitRow } from './marked-lane'

export type Chaos = { counts: Record<string, number>; stop: () => Promise<void> }
type Mixing = {
  url: string
  /** Between the server and its database. */
  proxy: Awaited<ReturnType<typeof startFaultyProxy>>
  /** Is told how many requests are left. */
  startChaos: (countLeft: () => number) => Chaos
  requests: number
  clients: number
  /** How many requests of a client are under way at once. */
  lanes: number
  random: Random
  /** The properties of all clients, one row a unit. */
  loadUnits: (query: string) => Promise<unknown[]>
}

const UNITS = `select p.id, p.landlord_id, p.alias_name, u.id as unit_id, u.unit_notes
  from properties p join property_units u on u.property_id = p.id`

/** Requires each response to belong to its request while the database fails, and every acknowledged change to be there. */
export async function expectUnmixedAnswers(mixing: Mixing) {
  const { url, proxy, random } = mixing
  proxy.calm(true)
  const clients = await runTogether(mixing.clients, () => createMarkedClient(url, random))
  const owners = clients.flatMap(client => Array.from({ length: mixing.lanes }, () => client))
  const lanes = await Promise.all(owners.map(client => createLane(client, random)))

  proxy.calm(false)
  let left = mixing.requests
  const chaos = mixing.startChaos(() => left)
  const sendInTurn = async (lane: (typeof lanes)[number]) => {
    while (left-- > 0) await lane.sendRandomRequest()
  }
  await Promise.all(lanes.map(sendInTurn)).finally(chaos.stop)
  proxy.calm(true)

  const sum = (outcome: 'answered' | 'refused' | 'gone') =>
    clients.reduce((total, { outcomes }) => total + outcomes[outcome], 0)
  const totals = { answered: sum('answered'), refused: sum('refused'), gone: sum('gone') }
  report('mixed answers', { ...totals, ...chaos.counts, ...proxy.counts })
  expect(clients.flatMap(client => client.violations)).toEqual([])
  // The faults were felt, and most requests still went well: otherwise nothing was tried.
  expect(totals.answered).toBeGreaterThan(mixing.requests / 2)
  const faults = [totals.refused, totals.gone, proxy.counts.cuts, ...Object.values(chaos.counts)]
  expect(Math.min(...faults)).toBeGreaterThan(0)

  await waitUntil(async () => (await fetch(`${url}/health/ready`)).status === 200, 'ready again')
  const rows = (await mixing.loadUnits(UNITS)) as UnitRow[]
  expect(lanes.flatMap(lane => lane.findLostChanges(rows))).toEqual([])
  for (const lane of lanes) await lane.getUnit()
  expect(clients.flatMap(client => client.violations)).toEqual([])
}
