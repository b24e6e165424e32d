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
