import { describe, expect, test } from 'bun:test'
import type { Agreement, Kiraya } from '../../sdk'
import { bringToOutcome } from '../../cli/seed/lease'
import { planLandlords, type Outcome } from '../../cli/seed/plan'

const TODAY = new Date('2026-01-31T20:00:00Z')
const landlords = planLandlords({ seed: 'demo', landlords: 6, scale: 1 }, TODAY)
const leases = landlords.flatMap(landlord => landlord.leases)

describe('the plan of a seed', () => {
  test('is the same for the same seed and day, keeps what a smaller one has, and differs from another', () => {
    const plan = (seed: string, count: number) => planLandlords({ seed, landlords: count, scale: 1 }, TODAY)
    expect(plan('demo', 6)).toEqual(landlords)
    expect(plan('demo', 1)).toEqual(landlords.slice(0, 1))
    expect(plan('other', 1)[0]!.phone).not.toBe(landlords[0]!.phone)
    expect(landlords[1]!.first_name).toMatch(/^\p{Script=Devanagari}+$/u)
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
