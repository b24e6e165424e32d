import { postCharges } from '../../../server/jobs/post-charges'
import { createActiveAgreement, createLandlord, createTenant, type TestUser } from '../../support/users'
import { clock, testServer } from '../../support/server'

const DAY_MS = 86_400_000

/** A server whose day can be chosen. Sessions outlast a few days: books are read in a new one. */
export function booksServer(day = '2026-12-01') {
  const time = clock(new Date(`${day}T06:30:00Z`))
  const server = testServer({ overrides: { now: time.now } })
  /** Moves the clock to noon of a day in India, and runs the day's job. */
  const goTo = async (to: string) => {
    time.advance(Date.parse(`${to}T06:30:00Z`) - time.now().getTime())
    await postCharges(server.deps)
  }
  const goOn = (days: number) => goTo(new Date(time.now().getTime() + days * DAY_MS).toISOString().slice(0, 10))
  return { server, time, goTo, goOn }
}

/** The specification's lease: ₹25,000 from 15 Dec 2026 for 11 months, due on the 5th. */
export const exampleTerms = {
  agreement_start_date: '2026-12-15',
  tenure_in_months: 11,
  rent_amount: 25000,
  deposit_amount: null,
  rent_due_day: 5,
}

export async function createLease(
  server: Parameters<typeof createLandlord>[0],
  changes: Record<string, unknown> = {},
  tenantCount = 1,
) {
  const landlord = await createLandlord(server)
  const tenants: TestUser[] = []
  for (let n = 0; n < tenantCount; n++) tenants.push(await createTenant(server))
  const lease = await createActiveAgreement(landlord, tenants, { ...exampleTerms, ...changes })
  return { landlord, tenant: tenants[0]!, tenants, ...lease }
}
