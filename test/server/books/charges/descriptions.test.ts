import { expect, test } from 'bun:test'
import { createLease, startBooksServer } from '../../../support/books/lease-fixture'
import { sendRequest } from '../../../support/requests'

const terms = {
  deposit_amount: 50_000,
  late_fee_kind: 'percent_pa',
  late_fee_percent: 18,
  recurring_charges: [
    { type: 'parking', amount: 1000 },
    { type: 'water', amount: 500 },
    { type: 'other', description: 'Society', amount: 2000 },
  ],
}

/** A lease in its second month, with charges of each source. */
async function createCharges() {
  const server = await startBooksServer('2026-12-15')
  const lease = await createLease(server, terms)
  const { landlord, tenant, path } = lease
  const cheque = { amount: 100, method: 'cheque', reference: '004711' }
  const { data } = await landlord.post(`${path}/payments`, cheque)
  await landlord.post(`/payments/${data.id}/bounce`, { charge_amount: 500 })
  await landlord.post(`${path}/charges`, { type: 'damage', amount: 90, due_date: '2026-12-31' })
  const { data: revision } = await landlord.post(`${path}/rent-revisions`, {
    rent_amount: 26_000,
    effective_on: '2026-12-20',
  })
  await tenant.post(`${path}/rent-revisions/${revision.id}/accept`)
  await server.goTo('2026-12-31')
  const { token } = await lease.asLandlord()
  const read = async (of: string, language: string) => {
    const headers = { 'accept-language': language }
    return (await sendRequest(server, 'GET', of, { token, headers })).data
  }
  const listDescriptions = (rows: { description: string }[]) => [
    ...new Set(rows.map(({ description }) => description)),
  ]
  return { server, path, read, listDescriptions }
}

const WORDS: Record<string, string[]> = {
  en: ['Deposit', 'Rent', 'Parking', 'Water', 'Society', 'Bounced cheque 004711', 'Damage', 'Rent, revised'],
  hi: ['जमा राशि', 'किराया', 'पार्किंग', 'पानी', 'Society', 'बाउंस चेक 004711', 'टूट-फूट', 'किराया, संशोधित'],
}
const LATE_FEE: Record<string, string> = { en: 'Late fee', hi: 'देरी का शुल्क' }

test.each(Object.keys(WORDS))('charges are worded in %s, but for what a person wrote', async language => {
  const { server, path, read, listDescriptions } = await createCharges()
  await using _ = server
  const charges = await read('/charges?sort=id', language)
  const words = WORDS[language]!
  const [, rent, parking, water, society, bounced, damage, revised] = words
  const late = [rent, parking, water, society, revised].map(due => `${LATE_FEE[language]}: ${due}`)
  expect(listDescriptions(charges)).toEqual([...words, ...late])
  expect((await read(`/charges/${charges[1].id}`, language)).description).toBe(rent)
  const schedule = await read(`${path}/schedule`, language)
  expect(listDescriptions(schedule.instalments).toSorted()).toEqual(
    words.filter(each => each !== bounced && each !== damage).toSorted(),
  )
})
