import { expect, test } from 'bun:test'
import type { Agreement, Kiraya } from '../../sdk'
import buildings from '../../cli/seed/buildings.json'
import { chooseName, chooseProperty, chooseTerms } from '../../cli/seed/choices'
import { bringToOutcome, isSigned, type Outcome } from '../../cli/seed/lease'
import { Random } from '../../cli/seed/random'
import regions from '../../cli/seed/regions.json'

const choose = (seed: string) => chooseProperty(new Random(seed), regions[1]!, buildings[0]!, 0)

test('the choices are the same for the same seed, and others for another', () => {
  expect(choose('demo')).toEqual(choose('demo'))
  expect(choose('demo')).not.toEqual(choose('other'))
  expect(chooseName(new Random('demo'), regions[1]!).first_name).toMatch(/^\p{Script=Devanagari}+$/u)
})

test.each<[Outcome, first: string, last: string]>([
  ['ACTIVE', '2025-05-01', '2025-12-01'],
  ['TERMINATED', '2025-05-01', '2025-12-01'],
  ['COMPLETED', '2025-05-01', '2025-12-01'],
  ['DECLINED', '2026-02-01', '2026-02-01'],
  ['PENDING', '2026-02-01', '2026-02-01'],
  ['DRAFT', '2026-02-01', '2026-02-01'],
])('a lease that is %s by the end of January begins on a first from %s to %s', (outcome, first, last) => {
  const today = new Date('2026-01-31T20:00:00Z')
  for (const seed of Array.from({ length: 20 }).keys()) {
    const { agreement_start_date } = chooseTerms(
      new Random(String(seed)),
      { min: 6500, max: 14_000 },
      isSigned(outcome),
      today,
    )
    expect(agreement_start_date).toEndWith('-01')
    expect([first, agreement_start_date, last].toSorted()[1]).toBe(agreement_start_date)
  }
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
    waitFor: async () => ({ status: 'ACTIVE' }),
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
