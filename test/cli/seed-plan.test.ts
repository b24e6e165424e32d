import { describe, expect, test } from 'bun:test'
import type { Agreement, Kiraya } from '../../sdk'
import { bringToOutcome } from '../../cli/seed/lease'
import { planLandlords, type Outcome } from '../../cli/seed/plan'

const TODAY = new Date('2026-01-31T20:00:00Z')
const landlords = planLandlords({ seed: 'demo', landlords: 6, scale: 6 }, TODAY)
const properties = landlords.flatMap(landlord => landlord.properties)
const leases = landlords.flatMap(landlord => landlord.leases)
const isUnique = (values: unknown[]) => new Set(values).size === values.length

describe('the plan of a seed', () => {
  test('is the same for the same seed and day', () => {
    expect(planLandlords({ seed: 'demo', landlords: 6, scale: 6 }, TODAY)).toEqual(landlords)
  })

  test('keeps what a smaller one has', () => {
    const [first] = planLandlords({ seed: 'demo', landlords: 1, scale: 1 }, TODAY)
    expect(landlords[0]!.phone).toBe(first!.phone)
    expect(landlords[0]!.properties.slice(0, 5)).toEqual(first!.properties)
    expect(landlords[0]!.leases.slice(0, 9)).toEqual(first!.leases)
  })

  test('gives landlords and tenants numbers that are mobile ones, apart from each other', () => {
    const tenants = leases.flatMap(lease => lease.tenants.map(tenant => tenant.phone_number))
    for (const { phone } of landlords) expect(phone).toMatch(/^9\d{9}$/)
    for (const phone of tenants) expect(phone).toMatch(/^8\d{9}$/)
    expect(isUnique([...landlords.map(({ phone }) => phone), ...tenants])).toBe(true)
  })

  test('gives each property of a landlord a name and a survey number of its own, and units of different names', () => {
    for (const landlord of landlords) {
      expect(isUnique(landlord.properties.map(({ alias_name }) => alias_name))).toBe(true)
      expect(isUnique(landlord.properties.map(({ survey_number }) => survey_number))).toBe(true)
    }
    for (const { property_units } of properties)
      expect(isUnique(property_units.map(({ unit_name }) => unit_name))).toBe(true)
  })

  test('has nine leases for each five properties, of twenty properties at most', () => {
    for (const landlord of landlords) {
      expect([landlord.properties.length, landlord.leases.length]).toEqual([30, 36])
      expect(isUnique(landlord.leases.map(({ terms }) => terms.agreement_number))).toBe(true)
    }
  })

  test('lets each unit once, and one that its property has', () => {
    for (const landlord of landlords) {
      expect(isUnique(landlord.leases.map(lease => `${lease.survey_number} ${lease.unit_name}`))).toBe(true)
      for (const lease of landlord.leases) {
        const property = landlord.properties.find(one => one.survey_number === lease.survey_number)
        expect(property!.property_units.map(({ unit_name }) => unit_name)).toContain(lease.unit_name)
      }
    }
  })

  test('has signed leases run since a month that is over, and the others begin next month', () => {
    for (const { outcome, terms } of leases) {
      const isSigned = ['ACTIVE', 'TERMINATED', 'COMPLETED'].includes(outcome)
      const start = terms.agreement_start_date
      expect(start).toEndWith('-01')
      if (isSigned) expect(start >= '2025-05-01' && start <= '2025-12-01').toBe(true)
      else expect(start).toBe('2026-02-01')
    }
  })

  test('has rents in five hundreds, and deposits of two to six months', () => {
    const rents = leases.map(({ terms }) => terms.rent_amount)
    expect(rents.filter(rent => rent % 500 !== 0)).toEqual([])
    const months = leases.map(({ terms }) => terms.deposit_amount! / terms.rent_amount)
    expect(new Set(months)).toEqual(new Set([2, 3, 4, 5, 6]))
  })
})

/** What is asked of the server to bring an agreement to an outcome. */
async function bring(status: Agreement['status'], outcome: Outcome, answered: number[]) {
  const done: string[] = []
  using server = Bun.serve({
    port: 0,
    fetch: request => {
      done.push(new URL(request.url).pathname.replace('/sandbox/sign/', ''))
      return new Response()
    },
  })
  const signatures = answered.map(signer_id => ({ signer_id, status: 'signed' }))
  const end = (verb: string, ended: string) => async () => {
    done.push(verb)
    return { status: ended }
  }
  const agreements = {
    get: async () => ({ status: 'ACTIVE' }),
    signatures: async () => ({ signatures: [...signatures, { signer_id: 7, status: 'pending' }] }),
    sign: async (_: number, { signer_id }: { signer_id: number }) => ({
      signing_url: `${server.url.origin}/sandbox/sign/${signer_id}`,
    }),
    terminate: end('terminate', 'TERMINATED'),
    complete: end('complete', 'COMPLETED'),
  }
  const agreement = { id: 31, status, tenant_ids: [21, 22] } as Agreement
  await bringToOutcome({ id: 7, client: { agreements } as unknown as Kiraya }, agreement, outcome)
  return done
}

test.each<[Agreement['status'], Outcome, string[], number[]]>([
  ['DRAFT', 'DRAFT', [], []],
  ['DRAFT', 'PENDING', ['7/sign'], []],
  ['DRAFT', 'DECLINED', ['7/sign', '21/decline', '22/decline'], []],
  ['DRAFT', 'ACTIVE', ['7/sign', '21/sign', '22/sign'], []],
  ['DRAFT', 'TERMINATED', ['7/sign', '21/sign', '22/sign', 'terminate'], []],
  ['DRAFT', 'COMPLETED', ['7/sign', '21/sign', '22/sign', 'terminate', 'complete'], []],
  ['PENDING', 'ACTIVE', ['7/sign', '22/sign'], [21]],
  ['PENDING', 'PENDING', ['7/sign'], [21]],
  ['ACTIVE', 'ACTIVE', [], []],
  ['ACTIVE', 'COMPLETED', ['terminate', 'complete'], []],
  ['TERMINATED', 'TERMINATED', [], []],
  ['TERMINATED', 'COMPLETED', ['complete'], []],
  ['COMPLETED', 'COMPLETED', [], []],
])('a lease that is %s becomes %s by %j', async (status, outcome, expected, answered) => {
  expect(await bring(status, outcome, answered)).toEqual(expected)
})
