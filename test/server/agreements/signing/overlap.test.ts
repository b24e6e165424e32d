import { expect, test } from 'bun:test'
import { testServer } from '../../../support/server'
import { agreementTerms, type TestUser } from '../../../support/users'
import { signingFixtures } from './signing-fixtures'
import { signingProvider, start } from './provider'

const provider = signingProvider()
const server = testServer({ env: provider.env })
const { createSimpleDraft } = signingFixtures(server)

/** Starts the signing of a second agreement of the unit; the first, of December to October, is being signed. */
async function startSecond(agreement_start_date: string, tenure_in_months: number) {
  const { owner, tenant, agreement, unit } = await createSimpleDraft()
  expect((await start(owner, agreement, tenant)).status).toBe(200)
  const document_url = `https://example.com/${crypto.randomUUID()}.pdf`
  const changes = { document_url, agreement_start_date, tenure_in_months }
  const second = await createAgreement(owner, agreementTerms(unit.id, [tenant.id], changes))
  const { status } = await start(owner, second, tenant)
  return { status, requests: provider.creates(document_url).length }
}

async function createAgreement(owner: TestUser, terms: Record<string, unknown>) {
  const { data } = await owner.post('/agreements', terms)
  return data as { id: number }
}

test.each([
  ['begins on the last day of the first', '2027-10-31', 11],
  ['ends on the first day of the first', '2026-11-02', 1],
  ['lies within the first', '2027-01-01', 1],
])('400: an agreement that %s is refused before the provider is asked', async (_, first, months) => {
  expect(await startSecond(first, months)).toEqual({ status: 400, requests: 0 })
})

test.each([
  ['begins on the day after the first', '2027-11-01', 11],
  ['ends on the day before the first', '2026-11-01', 1],
])('200: an agreement that %s', async (_, first, months) => {
  expect(await startSecond(first, months)).toEqual({ status: 200, requests: 1 })
})
