import { expect, test } from 'bun:test'
import { reconcileSignatures } from '../../../server/jobs/reconcile'
import { clock, testServer } from '../../support/server'
import { agreementTerms, createLandlord, createUnit, signInUser, type TestUser } from '../../support/users'

const HOUR_MS = 3_600_000
/** What the records of one landlord may cause in a stranger's feed of twenty activities. */
const MAX = 5
const time = clock()
const server = testServer({ overrides: { now: time.now } })

test('requests of a landlord that expire, which no one causes, fill no feed of a stranger', async () => {
  const [landlord, stranger] = [await createLandlord(server), await createLandlord(server)]
  const { unit } = await createUnit(landlord)
  const tenants: TestUser[] = []
  while (tenants.length < MAX + 2) tenants.push(await signInUser(server))
  const tenantIds = [stranger, ...tenants].map(({ id }) => id)
  const { data: agreement } = await landlord.post('/agreements', agreementTerms(unit.id, tenantIds))
  for (const { id } of tenants) await landlord.post(`/agreements/${agreement.id}/sign`, { signer_id: id })
  time.advance(73 * HOUR_MS)

  await reconcileSignatures(server.deps)

  const { data } = await (await signInUser(server, stranger.phone)).get('/dashboard')
  const messages = data.recent_activity
    .filter(({ entity_type }: { entity_type: string }) => entity_type === 'agreement')
    .map(({ message }: { message: string }) => message)
  const expired = `The agreement ${agreement.agreement_number} was not signed in time by a party`
  expect(messages).toEqual(Array(MAX).fill(expired))
})
