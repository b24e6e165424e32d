import { expect, test } from 'bun:test'
import { getTenureEndDate } from '../../../server/domain/dates'
import { endTenures } from '../../../server/jobs/end-tenures'
import {
  agreementTerms,
  completeSigning,
  createDraft,
  createLandlord,
  signInUser,
  type TestUser,
} from '../../support/users'
import { DAY_MS, MINUTE_MS, withServer, type MovableServer } from './with-server'

/** As its owner sees it, who may have had to sign in again. */
const getAgreement = async (person: TestUser, id: number) =>
  (await person.call('GET', `/agreements/${id}`)).body.data
const getAgreementAfterSignIn = async (server: MovableServer, person: TestUser, id: number) =>
  getAgreement(await signInUser(server.url, person.phone), id)

const begun = new Date('2026-12-01T06:00:00Z')
async function createActive(server: MovableServer, more: Record<string, unknown>) {
  const owner = await createLandlord(server.url)
  const tenant = await signInUser(server.url)
  const drawn = await createDraft(owner, [tenant], { tenure_in_months: 1, ...more })
  for (const person of [owner, tenant]) await completeSigning(person, drawn.agreement.id, person.id)
  return { owner, tenant, ...drawn }
}

test(
  'ACTIVE becomes TERMINATED on the day after its last one, in India',
  withServer(
    async server => {
      const { owner, agreement, property, unit } = await createActive(server, {})
      server.advance(Date.parse('2026-12-31T18:29:00Z') - begun.getTime())
      await endTenures(server.deps)
      expect((await getAgreementAfterSignIn(server, owner, agreement.id)).status).toBe('ACTIVE')
      server.advance(MINUTE_MS)
      await endTenures(server.deps)
      const again = await signInUser(server.url, owner.phone)
      expect(await getAgreement(again, agreement.id)).toMatchObject({
        status: 'TERMINATED',
        termination_date: '2026-12-31',
      })
      expect(
        (await again.call('GET', `/properties/${property.id}/units/${unit.id}`)).body.data.is_available,
      ).toBe(true)
    },
    {},
    begun,
  ),
)

test(
  'auto_renew extends the tenure by its length, as often as needed',
  withServer(
    async server => {
      const { owner, agreement } = await createActive(server, { auto_renew: true })
      server.advance(70 * DAY_MS)
      await endTenures(server.deps)
      expect(await getAgreementAfterSignIn(server, owner, agreement.id)).toMatchObject({
        status: 'ACTIVE',
        agreement_start_date: '2026-12-01',
        agreement_end_date: '2027-02-28',
      })
      await endTenures(server.deps)
      expect((await getAgreementAfterSignIn(server, owner, agreement.id)).agreement_end_date).toBe(
        '2027-02-28',
      )
    },
    {},
    begun,
  ),
)

test(
  'auto_renew does not extend a tenure into that of another agreement of the unit',
  withServer(
    async server => {
      const { owner, tenant, agreement, unit } = await createActive(server, { auto_renew: true })
      const next = (
        await owner.call(
          'POST',
          '/agreements',
          agreementTerms(unit.id, [tenant.id], { agreement_start_date: '2027-01-15' }),
        )
      ).body.data
      await owner.call('POST', `/agreements/${next.id}/sign`, { signer_id: owner.id })
      server.advance(31 * DAY_MS)
      await endTenures(server.deps)
      expect((await getAgreementAfterSignIn(server, owner, agreement.id)).status).toBe('TERMINATED')
      expect((await getAgreementAfterSignIn(server, owner, next.id)).status).toBe('PENDING')
    },
    {},
    begun,
  ),
)

test.each([
  ['2026-12-01', 11, '2027-10-31'],
  ['2026-01-31', 1, '2026-02-27'],
  ['2024-02-29', 12, '2025-02-27'],
  ['2026-01-01', 600, '2075-12-31'],
  ['2026-08-31', 6, '2027-02-27'],
  ['2026-03-31', 1, '2026-04-29'],
])('%s and %i months end on %s', (start, months, last) => {
  expect(getTenureEndDate(start, months)).toBe(last)
})
