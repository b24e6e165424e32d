import { afterAll, beforeAll, expect } from 'bun:test'
import { postCharges } from '../../../server/books/charges/daily-posting'
import { clock, startTestServer } from '../server'
import { createActiveAgreement, createLandlord, createTenant, signInUser, type TestUser } from '../users'
import { findBrokenInvariants } from './invariants'

const DAY_MS = 86_400_000
const NOON = 'T06:30:00Z'

/** A server whose clock stands at noon of a day in India. A test that is `using` it ends with a check of all books. */
export async function startBooksServer(day = '2026-12-01', options: { own?: boolean } = {}) {
  const time = clock(new Date(day + NOON))
  const server = await startTestServer({ overrides: { now: time.now }, ...options })
  const setDay = (to: string) => time.advance(Date.parse(to + NOON) - time.now().getTime())
  /** Moves the clock to another day, and runs the day's job. */
  const goTo = async (to: string) => {
    setDay(to)
    await postCharges(server.deps)
  }
  const goOn = (days: number) => {
    return goTo(new Date(time.now().getTime() + days * DAY_MS).toISOString().slice(0, 10))
  }
  const checkBooks = async () => expect(await findBrokenInvariants(server.em())).toEqual([])
  const dispose = () => checkBooks().finally(() => server.end())
  return Object.assign(server, { setDay, goTo, goOn, [Symbol.asyncDispose]: dispose })
}
export type BooksServer = Awaited<ReturnType<typeof startBooksServer>>

/** The same for a whole test file. */
export function booksServer(day?: string) {
  const server = {} as BooksServer
  beforeAll(async () => void Object.assign(server, await startBooksServer(day)))
  afterAll(() => server[Symbol.asyncDispose]())
  return server
}

/** The specification's lease: ₹25,000 from 15 Dec 2026 for 11 months, due on the 5th. */
export const exampleTerms = {
  agreement_start_date: '2026-12-15',
  tenure_in_months: 11,
  rent_amount: 25000,
  deposit_amount: null,
  rent_due_day: 5,
}

/** An ACTIVE lease; sessions end before it does, so its parties sign in again by `asLandlord` and `asTenant`. */
export async function createLease(
  server: Parameters<typeof createLandlord>[0],
  changes: Record<string, unknown> = {},
  tenantCount = 1,
) {
  const landlord = await createLandlord(server)
  const tenants: TestUser[] = []
  for (let n = 0; n < tenantCount; n++) tenants.push(await createTenant(server))
  const tenant = tenants[0]!
  const lease = await createActiveAgreement(landlord, tenants, { ...exampleTerms, ...changes })
  return {
    landlord,
    tenant,
    tenants,
    ...lease,
    asLandlord: () => signInUser(server, landlord.phone),
    asTenant: () => signInUser(server, tenant.phone),
  }
}
export type Lease = Awaited<ReturnType<typeof createLease>>

/** The charges of a lease by due date, each as `type due_date amount outstanding status`. */
export async function listCharges({ asLandlord, agreement }: Lease) {
  const reader = await asLandlord()
  const { data } = await reader.get(`/charges?agreement_id=${agreement.id}&sort=due_date&limit=100`)
  return data.map((each: any) =>
    [each.type, each.due_date, each.amount, each.amount_outstanding, each.status].join(' '),
  ) as string[]
}
