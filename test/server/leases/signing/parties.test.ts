import { expect, test } from 'bun:test'
import { clock } from '../../../support/server'
import { agreementTerms, type TestResponse } from '../../../support/users'
import { enveloped } from '../../http/forms'
import { start } from './provider'
import { signingServer } from './signing-fixtures'

const time = clock(new Date('2026-06-15T18:29:59.999Z'))
const { provider, createUsers, createSimpleDraft, createManagedDraft, getSignatures, getStatus, signs } =
  signingServer({ overrides: { now: time.now } })
const seen = ({ status, body }: TestResponse) => [status, body]

test('an agreement was signed on the day on which the last party signs in India', async () => {
  for (const signed_date of ['2026-06-15', '2026-06-16']) {
    const { owner, tenant, agreement, path } = await createSimpleDraft()
    for (const party of [owner, tenant]) await signs(owner, agreement, party)
    expect((await owner.get(path)).data).toMatchObject({ status: 'ACTIVE', signed_date })
    time.advance(1)
  }
})

test('the unneeded signature of the landlord’s side expires and is cancelled at the provider', async () => {
  const { owner, manager, tenant, second, agreement } = await createManagedDraft()
  const { data: spare } = await start(owner, agreement, owner)
  for (const each of [manager, tenant, second]) await signs(owner, agreement, each)
  expect(await getSignatures(tenant, agreement)).toMatchObject({
    allSigned: true,
    signatures: [
      { signer_role: 'landlord', status: 'expired' },
      { signer_role: 'manager', status: 'signed' },
      { signer_role: 'tenant' },
      { signer_role: 'tenant' },
    ],
  })
  expect(provider.of(spare.signature_id).cancelled).toBe(true)
})

test('403: a manager who is appointed after the first signing is no party', async () => {
  const { owner, tenant, unitPath, agreement } = await createManagedDraft()
  const [later] = await createUsers(1)
  await start(owner, agreement, tenant)
  await owner.patch(unitPath, { managed_by_id: later.id })
  expect((await start(owner, agreement, later)).status).toBe(403)
})

// The first agreement is from 1 Dec 2026 for 11 months.
test.each([
  ['400', 'begins on the last day of the first', '2027-10-31', 11],
  ['400', 'ends on the first day of the first', '2026-11-02', 1],
  ['400', 'lies within the first', '2027-01-01', 1],
  ['400', 'goes on before and after the first', '2026-01-01', 600],
  ['200', 'begins on the day after the first', '2027-11-01', 11],
  ['200', 'ends on the day before the first', '2026-11-01', 1],
])('%s: an agreement of the unit that %s', async (expected, _, agreement_start_date, tenure_in_months) => {
  const { owner, tenant, agreement, unit, path } = await createSimpleDraft()
  expect((await start(owner, agreement, tenant)).status).toBe(200)
  const terms = agreementTerms(unit.id, [tenant.id], { agreement_start_date, tenure_in_months })
  const { data: other } = await owner.post('/agreements', terms)
  const before = provider.creates().length

  const second = await start(owner, other, tenant)

  const isRefused = expected === '400'
  expect(isRefused ? seen(second) : second.status).toEqual(isRefused ? [400, enveloped(400)] : 200)
  expect(await getStatus(owner, other)).toBe(isRefused ? 'DRAFT' : 'PENDING')
  // The provider is not even asked.
  expect(provider.creates().length - before).toBe(isRefused ? 0 : 1)
  await owner.post(`${path}/terminate`)
  expect((await start(owner, other, tenant)).status).toBe(200)
})
