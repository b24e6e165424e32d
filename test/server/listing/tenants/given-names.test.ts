import { expect, test } from 'bun:test'
import { readCertificate } from '../../../support/certificate-text'
import { testServer } from '../../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createLandlord,
  createUnit,
  freshPhone,
  sendRequest,
  signInUser,
  type TestUser,
} from '../../../support/users'

// The names that a landlord gives to a person are the landlord's: neither the person nor anyone else gets them.

const server = testServer({ env: { DISCLOSE_ACCOUNTS: 'full' } })

const first = { first_name: 'Zebulonqx', last_name: 'Quandaryvz' }
const second = { first_name: 'Wilhelmuy', last_name: 'Brockenxq' }
const own = { first_name: 'Meenakshiw', last_name: 'Sundaramx', email: 'meena.canary@example.com' }

const nameIn = (text: string) =>
  Object.entries({ first, second, own })
    .filter(([, names]) => Object.values(names).some(name => text.includes(name)))
    .map(([name]) => name)

async function createNamedDraft(phone: string, names: typeof first) {
  const [landlord, manager] = [await createLandlord(server), await signInUser(server)]
  const { data: tenant } = await landlord.post('/tenants', { phone_number: phone, ...names })
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const document_url = `${server.url}/sandbox/files/sample-lease.pdf`
  const terms = agreementTerms(unit.id, [tenant.id], { document_url })
  const { data: agreement } = await landlord.post('/agreements', terms)
  return { landlord, manager, tenant, agreement, path: `/agreements/${agreement.id}` }
}
type Draft = Awaited<ReturnType<typeof createNamedDraft>>

/** Everything that a person sees of an agreement and its tenants, but the signing page. */
async function readEverything(reader: TestUser, { path, agreement }: Draft) {
  const paths = ['/tenants', '/dashboard', '/auth/me', path, `${path}/timeline`, `${path}/signatures`]
  const answers = await Promise.all(paths.map(async each => (await reader.get(each)).body))
  const { text } = await readCertificate(server, reader, agreement.id)
  return JSON.stringify(answers) + text
}

/** Two landlords name one phone number, each by other names; the person has no account yet. */
async function nameTwice() {
  const phone = freshPhone()
  const [ofFirst, ofSecond] = [await createNamedDraft(phone, first), await createNamedDraft(phone, second)]
  return { phone, ofFirst, ofSecond }
}

const askForOtp = async (phone: string) =>
  (await sendRequest(server, 'POST', '/auth/send-otp', { body: { phone_number: phone } })).data

test('an account starts without the names that landlords gave', async () => {
  const { phone } = await nameTwice()

  const person = await signInUser(server, phone)
  const { data } = await person.get('/auth/me')
  expect(data).toMatchObject({
    user: { first_name: null, last_name: null },
    status: 'NEEDS_PROFILE_COMPLETION',
  })

  await completeProfile(person, own)
  const { data: exported } = await person.get('/auth/me/export')
  const { tenant_contacts: given, ...account } = exported.tables
  expect(given).toMatchObject([first, second])
  for (const contact of given) expect(contact).not.toHaveProperty('landlord_id')
  expect(nameIn(JSON.stringify([account, await askForOtp(phone)]))).toEqual(['own'])
})

test('each landlord sees only the names that they gave, and so does the manager of their unit', async () => {
  const { phone, ofFirst, ofSecond } = await nameTwice()
  const person = await signInUser(server, phone)
  for (const { path } of [ofFirst, ofSecond]) await person.post(`${path}/decline`)

  for (const side of ['landlord', 'manager'] as const) {
    expect(nameIn(await readEverything(ofFirst[side], ofFirst))).toEqual(['first'])
    expect(nameIn(await readEverything(ofSecond[side], ofSecond))).toEqual(['second'])
  }
  for (const draft of [ofFirst, ofSecond]) expect(nameIn(await readEverything(person, draft))).toEqual([])
})

test('a person who signs without a profile appears by the name that this landlord gave', async () => {
  const { phone, ofSecond } = await nameTwice()
  const { landlord, tenant, agreement } = ofSecond
  for (const { id } of [tenant, landlord]) {
    const { signing_url } = await completeSigning(landlord, agreement.id, id)
    expect(nameIn(await (await fetch(signing_url)).text())).not.toContain('first')
  }

  expect(nameIn(await readEverything(landlord, ofSecond))).toEqual(['second'])
  const certificate = await readCertificate(server, await signInUser(server, phone), agreement.id)
  expect(certificate.text).toContain('Wilhelmuy Brockenxq Tenant')
})

test('a person who signs with a profile appears by their own name, to those alone who have the signature', async () => {
  const { phone, ofFirst, ofSecond } = await nameTwice()
  const person = await signInUser(server, phone)
  await completeProfile(person, own)
  const { landlord, manager, agreement } = ofSecond
  await person.post(`${ofFirst.path}/decline`)
  for (const party of [landlord, person]) await completeSigning(party, agreement.id, party.id)

  for (const reader of [landlord, manager, person])
    expect(nameIn(await readEverything(reader, ofSecond))).toEqual(['own'])
  expect(nameIn(await readEverything(ofFirst.landlord, ofFirst))).toEqual(['first'])
  const { data } = await landlord.get(`/tenants?q=${own.first_name}`)
  const { first_name, last_name } = own
  expect(data).toMatchObject([{ id: person.id, phone, first_name, last_name }])
})
