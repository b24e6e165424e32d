import { expect } from 'bun:test'
import { postCharges } from '../../../../server/books/charges/daily-posting'
import { addDays, toIndianDate } from '../../../../server/domain/dates'
import { sumRupees } from '../../../../server/domain/money'
import { chooseSeed, createRandom, type Random } from '../../../support/random'
import { signInUser, type TestUser } from '../../../support/users'
import { createLease, type BooksServer } from '../../../support/books/lease-fixture'
import { findBrokenInvariants } from '../../../support/books/invariants'
import { findWrongLateFees } from '../../../support/books/late-fee-oracle'

type World = {
  server: BooksServer
  random: Random
  landlord: TestUser
  tenant: TestUser
  path: string
  agreementId: number
}
type Operation = (world: World) => Promise<{ status: number } | void>

const list = async ({ landlord, agreementId }: World, noun: string) =>
  (await landlord.get(`/${noun}?agreement_id=${agreementId}&limit=100`)).data as any[]
const pickRecord = async (world: World, noun: string) => world.random.pick(await list(world, noun))
const rupees = ({ random }: World, limit = 60_000) => random.integer(1, limit * 100) / 100

const operations: Record<string, Operation> = {
  charge: world =>
    world.landlord.post(`${world.path}/charges`, {
      type: world.random.pick(['electricity', 'water', 'damage', 'other', 'deposit', 'opening_balance']),
      amount: rupees(world),
      due_date: world.random.pick(['2026-12-20', '2027-01-31', '2027-06-01', '2020-01-01']),
    }),
  credit: async world => {
    const charge = await pickRecord(world, 'charges')
    const body = {
      amount: rupees(world, 30_000),
      reason: world.random.pick(['waiver', 'correction', 'write_off']),
    }
    return charge && world.landlord.post(`/charges/${charge.id}/credits`, body)
  },
  waive: async world => {
    const fees = (await list(world, 'charges')).filter(each => each.type === 'late_fee')
    const open = fees.filter(each => each.amount_outstanding > 0)
    if (open.length === 0) return
    const { id, amount_outstanding } = world.random.pick(open)
    const amount = world.random.chance(0.5) ? amount_outstanding : 0.01
    return world.landlord.post(`/charges/${id}/credits`, { amount, reason: 'waiver' })
  },
  payment: async world => {
    const charge = await pickRecord(world, 'charges')
    const amount = rupees(world)
    const allocations =
      charge && world.random.chance(0.5) ? [{ charge_id: charge.id, amount: rupees(world, amount) }] : []
    return world.landlord.post(`${world.path}/payments`, {
      amount,
      tds_amount: world.random.chance(0.5) ? 100 : 0,
      paid_on: pickPaidOn(world),
      method: world.random.pick(['cash', 'upi', 'bank_transfer']),
      allocations,
    })
  },
  report: world => world.tenant.post(`${world.path}/payments`, { amount: rupees(world), method: 'upi' }),
  cheque: world =>
    world.landlord.post(`${world.path}/payments`, {
      amount: rupees(world),
      method: 'cheque',
      reference: String(world.random.integer(1, 999_999)),
    }),
  settle: async world => {
    const payment = await pickRecord(world, 'payments')
    const step = world.random.pick(['confirm', 'reject', 'clear', 'bounce', 'reverse'])
    return payment && world.landlord.post(`/payments/${payment.id}/${step}`, { reason: 'Entered by mistake' })
  },
  allocate: async world => {
    const [payment, charge] = [await pickRecord(world, 'payments'), await pickRecord(world, 'charges')]
    if (!payment || !charge) return
    const allocations = world.random.chance(0.3)
      ? []
      : [{ charge_id: charge.id, amount: rupees(world, 20_000) }]
    return world.landlord.put(`/payments/${payment.id}/allocations`, { allocations })
  },
  refund: world =>
    world.landlord.post(`${world.path}/refunds`, { amount: rupees(world, 9_000), method: 'upi' }),
  unrefund: async world => {
    const { data } = await world.landlord.get(`${world.path}/refunds?status=posted`)
    const refund = world.random.pick(data as any[])
    return refund && world.landlord.post(`/refunds/${refund.id}/reverse`, { reason: 'Entered by mistake' })
  },
  together: async world => {
    const pay = () => world.landlord.post(`${world.path}/payments`, { amount: rupees(world), method: 'upi' })
    const [first, second] = await Promise.all([pay(), pay(), postCharges(world.server.deps)])
    expect([first.status, second.status]).toEqual([201, 201])
  },
}

/** Today, or up to 40 days before. */
const pickPaidOn = ({ server, random }: World) =>
  addDays(toIndianDate(server.deps.now()), random.chance(0.5) ? 0 : -random.integer(1, 40))

/** Checks the invariants after each of many random operations; the others post charges at the same time. */
export async function runRandomOperations(
  server: BooksServer,
  count: number,
  others: Pick<BooksServer, 'deps'>[],
) {
  const seed = chooseSeed()
  const random = createRandom(seed)
  const opening = { deposit_held: 30_000, [random.pick(['owed', 'advance'])]: random.integer(1, 50_000) }
  const lease = await createLease(server, {
    ...(random.chance(0.5) && {
      agreement_start_date: '2026-06-15',
      tenure_in_months: 18,
      opening: { settled_until: random.pick(['2026-11-20', '2026-12-14']), ...opening },
    }),
    deposit_amount: 50_000,
    late_fee_kind: random.pick(['flat', 'per_day', 'percent_pa']),
    late_fee: 500,
    late_fee_percent: 18,
    late_fee_grace_days: 5,
    escalation_percent: 5,
    escalation_every_months: 3,
    recurring_charges: [{ type: 'maintenance', description: 'Society', amount: 2500 }],
  })
  let world: World = { server, random, ...lease, agreementId: lease.agreement.id }
  const statuses = new Map<number, number>()
  for (let n = 0; n < count; n++) {
    if (random.integer(1, 25) === 1) {
      await server.goOn(random.integer(1, 20))
      await Promise.all([server, ...others].map(({ deps }) => postCharges(deps)))
      world = await signInAgain(world)
    }
    const name = random.pick(Object.keys(operations))
    const response = await operations[name]!(world)
    if (response) statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    expect(await findBroken(server), `${name}, operation ${n}, SEED=${seed}`).toEqual([])
  }
  await world.landlord.post(`${world.path}/terminate`, {})
  expect(await findBroken(server), `the end, SEED=${seed}`).toEqual([])
  expect(await sumYears(world), `the annual books, SEED=${seed}`).toBe(0)
  expect([...statuses.keys()].filter(status => ![200, 201, 400].includes(status))).toEqual([])
  expect(statuses.get(201)).toBeGreaterThan(count / 10)
}

/** Sums over all years what the annual books received and do not say the use of; tax may count in another year. */
async function sumYears({ landlord }: World) {
  const years = ['2019-20', '2025-26', '2026-27', '2027-28', '2028-29']
  const all = await Promise.all(
    years.map(async year => (await landlord.get(`/books/annual?year=${year}`)).data),
  )
  const sum = (names: string[]) => sumRupees(all.flatMap(data => names.map(name => data[name])))
  const used = sum(['rent_received', 'for_deposits', 'for_others', 'refunded', 'advances'])
  return sumRupees([sum(['received', 'tds', 'from_deposit']), -used])
}

const findBroken = async (server: BooksServer) => [
  ...(await findBrokenInvariants(server.em())),
  ...(await findWrongLateFees(server.em())),
]

async function signInAgain(world: World): Promise<World> {
  const landlord = await signInUser(world.server, world.landlord.phone)
  const tenant = await signInUser(world.server, world.tenant.phone)
  return { ...world, landlord, tenant }
}
