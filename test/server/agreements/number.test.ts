import { expect, test } from 'bun:test'
import { clock, testServer } from '../../support/server'
import { createDraft, signInUser } from '../../support/users'

const time = clock(new Date('2026-06-15T12:00:00Z'))
const server = testServer({ overrides: { now: time.now } })

test('a number that was entered by hand is free again when its draft is deleted', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const byHand = await createDraft(landlord, [tenant], { agreement_number: 'AGR-2026-000001' })
  await landlord.delete(byHand.path)

  const { agreement } = await createDraft(landlord, [tenant])

  expect(agreement.agreement_number).toBe('AGR-2026-000001')
})

test('the year of a number is that of India', async () => {
  const [landlord, tenant] = [await signInUser(server), await signInUser(server)]
  const createNumber = async (at: string) => {
    time.advance(Date.parse(at) - time.now().getTime())
    const { agreement } = await createDraft(await signInUser(server, landlord.phone), [tenant])
    return agreement.agreement_number
  }
  expect(await createNumber('2026-12-31T18:29:59Z')).toBe('AGR-2026-000001')
  expect(await createNumber('2026-12-31T18:30:00Z')).toBe('AGR-2027-000001')
})
