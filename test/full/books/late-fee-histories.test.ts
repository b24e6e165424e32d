import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { addDays } from '../../../server/domain/dates'
import { startBooksServer, type BooksServer } from '../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../support/books/invariants'
import { findWrongLateFees } from '../../support/books/late-fee-oracle'
import { chooseSeed, createRandom, type Random } from '../../support/random'
import { signInUser, type TestUser } from '../../support/users'
import { createLeases } from '../failures/leases'

const ROUNDS = 3
const LEASES = 100
const END = '2027-07-15'

type World = { server: BooksServer; random: Random; landlord: TestUser; day: string }

/** Gives each lease late fees of its own; each of a few months is charged. */
const terms = sql`
  update agreements set late_fee_kind = (array['flat', 'per_day', 'percent_pa'])[1 + id % 3], late_fee = 50 + id % 7,
    late_fee_percent = 12 + id % 13, late_fee_grace_days = id % 11,
    late_fee_cap = case when id % 4 = 0 then 900 end, tenure_in_months = 1 + id % 3,
    agreement_end_date = ('2026-12-01'::date + make_interval(months => 1 + id % 3) - interval '1 day')::date,
    recurring_charges = '[{"type": "parking", "description": null, "amount": 500}]'`

const operations: ((world: World, path: string, charge: any) => Promise<unknown>)[] = [
  pay,
  pay,
  pay,
  ({ landlord, random }, _, { id, amount }) =>
    landlord.post(`/charges/${id}/credits`, {
      amount: random.chance(0.4) ? amount : random.integer(1, 100) / 100,
      reason: random.pick(['waiver', 'correction', 'write_off']),
    }),
  async ({ landlord, random }, path) => {
    const { data } = await landlord.get(`/payments?agreement_id=${path.split('/')[2]}&status=posted`)
    if (data.length > 0)
      await landlord.post(`/payments/${random.pick<any>(data).id}/reverse`, { reason: 'Wrong' })
  },
]

function pay({ landlord, random, day }: World, path: string, { id, amount_outstanding }: any) {
  const amount = random.chance(0.3) ? amount_outstanding : random.integer(1, 1_500_000) / 100
  return landlord.post(`${path}/payments`, {
    amount,
    method: 'cash',
    allocations: random.chance(0.3) ? [{ charge_id: id, amount }] : [],
    paid_on: addDays(day, random.chance(0.4) ? 0 : -random.integer(1, 45)),
  })
}

test.each(Array.from({ length: ROUNDS }, (_, n) => n))(
  `the late fees of ${LEASES} random histories are those of one computation: round %i`,
  async () => {
    await using server = await startBooksServer('2026-12-01')
    await createLeases(server.deps.db, LEASES)
    await terms.execute(server.db)
    const seed = chooseSeed()
    const random = createRandom(seed)
    for (let day = '2026-12-02'; day < END; day = addDays(day, random.integer(1, 25))) {
      await server.goTo(day)
      const landlord = await signInUser(server, '8000000001')
      for (let n = 0; n < LEASES / 2; n++) await change({ server, random, landlord, day })
      expect(await findWrongLateFees(server.em()), `${day}, SEED=${seed}`).toEqual([])
    }
    expect(await findBrokenInvariants(server.em()), `SEED=${seed}`).toEqual([])
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from charges where source = 'late_fee'`.execute(server.db)
    expect(rows[0]!.count).toBeGreaterThan(LEASES)
  },
  900_000,
)

async function change(world: World) {
  const { landlord, random } = world
  const type = random.pick(['rent', 'rent', 'other', 'late_fee'])
  const { data } = await landlord.get(`/charges?limit=100&type=${type}&page=${random.integer(1, 3)}`)
  if (data.length === 0) return
  const charge = random.pick<any>(data)
  await random.pick(operations)(world, `/agreements/${charge.agreement_id}`, charge)
}
