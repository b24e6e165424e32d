import { expect, test } from 'bun:test'
import { clock, startTestServer } from '../../../support/server'
import { createActiveAgreement, signInUser } from '../../../support/users'

test.each([
  ['2026-06-15T18:29:59.999Z', '2026-06-15'],
  ['2026-06-15T18:30:00.000Z', '2026-06-16'],
])('an agreement whose last party signs at %s was signed on %s, as dates go in India', async (now, date) => {
  const time = clock(new Date(now))
  const server = await startTestServer({ overrides: { now: time.now } })
  try {
    const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
    const { path } = await createActiveAgreement(landlord, [tenant])
    expect((await landlord.get(path)).data).toMatchObject({ status: 'ACTIVE', signed_date: date })
  } finally {
    await server.end()
  }
})
