import { describe, expect, test } from 'bun:test'
import { extractText } from 'unpdf'
import { createApp } from '../../../server/app'
import { toPath } from '../../operations/fixture'
import { raiseRequest, type RequestFixture } from '../../support/maintenance-fixture'
import { testServer, type TestServer } from '../../support/server'
import {
  agreementTerms,
  completeProfile,
  completeSigning,
  createLandlord,
  signInThree,
  createUnit,
  type TestUser,
} from '../../support/users'

// To be named in an agreement is not consent: until a party has signed, the others learn nothing of them.

/** Unusual texts, so that a search of an answer finds only the stranger's. */
const profile = { first_name: 'Zebulonqx', last_name: 'Quandaryvz', email: 'zq.canary@example.com' }
/** For operators, who see the phone numbers to which messages go. */
const isForOperators = (path: string) => /^\/sandbox(\/(control|messages))?$/.test(path)

type People = Record<'landlord' | 'manager' | 'coTenant' | 'stranger', TestUser> & { documentUrl: string }
type Fixture = Record<'property' | 'unit' | 'agreement', any> & RequestFixture & { signingIds: string[] }

async function createPeople(server: TestServer): Promise<People> {
  const landlord = await createLandlord(server)
  const [manager, coTenant, stranger] = await signInThree(server)
  await completeProfile(stranger, profile)
  const documentUrl = `${server.url}/sandbox/files/sample-lease.pdf`
  return { landlord, manager, coTenant, stranger, documentUrl }
}

async function createAgreement({ landlord, manager, documentUrl }: People, tenants: TestUser[]) {
  const { property, unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const tenantIds = tenants.map(({ id }) => id)
  const terms = agreementTerms(unit.id, tenantIds, { document_url: documentUrl })
  const { data: agreement } = await landlord.post('/agreements', terms)
  const raised = await raiseRequest(landlord, { unit })
  return { property, unit, agreement, path: `/agreements/${agreement.id}`, ...raised }
}

async function sign(starter: TestUser, { path }: { path: string }, { id }: TestUser) {
  const { data } = await starter.post(`${path}/sign`, { signer_id: id })
  const { signing_url } = data as { signing_url: string }
  return { signingId: new URL(signing_url).pathname.split('/').at(-1)!, signing_url }
}

/** The stranger is asked as a tenant, opens the page, declines, and is asked again. */
async function askStranger(people: People): Promise<Fixture> {
  const { landlord, coTenant, stranger } = people
  const draft = await createAgreement(people, [stranger, coTenant])
  const first = await sign(landlord, draft, stranger)
  await fetch(first.signing_url)
  await stranger.post(`${draft.path}/decline`, { reason: 'I do not know you' })
  const signings = [first, await sign(stranger, draft, stranger), await sign(coTenant, draft, coTenant)]
  return { ...draft, signingIds: signings.map(each => each.signingId) }
}

/** The stranger declines a draft; all others sign it without them. */
async function replaceStranger(people: People): Promise<Fixture> {
  const { landlord, coTenant, stranger } = people
  const draft = await createAgreement(people, [stranger])
  await stranger.post(`${draft.path}/decline`)
  await landlord.patch(draft.path, { tenant_ids: [coTenant.id] })
  for (const { id } of [landlord, coTenant]) await completeSigning(landlord, draft.agreement.id, id)
  return { ...draft, signingIds: [] }
}

/** The stranger is asked as the manager; the landlord signs instead. */
async function askStrangerAsManager(people: People): Promise<Fixture> {
  const { landlord, coTenant, stranger } = people
  const draft = await createAgreement({ ...people, manager: stranger }, [coTenant])
  const asked = await sign(stranger, draft, stranger)
  for (const { id } of [landlord, coTenant]) await completeSigning(landlord, draft.agreement.id, id)
  await stranger.post(`/maintenance-requests/${draft.request.id}/comments`, { text: 'On Tuesday' })
  return { ...draft, signingIds: [asked.signingId] }
}

/** Every GET of the server that can be about a person, once for each signing page where it is about one. */
function listPaths(server: TestServer, fixture: Fixture) {
  const routes = createApp(server.deps).routes.filter(
    ({ method, path }) => method === 'GET' && !/^\/(openapi|docs|assets|favicon)/.test(path),
  )
  return routes.flatMap(({ path }) =>
    path.startsWith('/sandbox/sign/')
      ? fixture.signingIds.map(id => path.replace(':id', id))
      : [toPath(path, fixture) + (path === '/properties/search' ? '?name=White%20House' : '')],
  )
}

async function readText(server: TestServer, reader: TestUser, path: string) {
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${reader.token}` } })
  const isPdf = response.headers.get('content-type') === 'application/pdf' && !path.includes('/attachments/')
  const text = isPdf
    ? (await extractText(await response.bytes(), { mergePages: true })).text
    : await response.text()
  return { status: response.status, text }
}

/** Returns the paths that answered, and those whose answer tells something of the stranger. */
async function findLeaks(server: TestServer, { stranger, ...others }: People, fixture: Fixture) {
  const { landlord, manager, coTenant } = others
  const hidden = [...Object.values(profile), stranger.phone, `**${stranger.phone.slice(-4)}`]
  const readers = Object.entries({ landlord, manager, coTenant })
  const answered = new Set<string>()
  const leaks: string[] = []
  for (const path of listPaths(server, fixture)) {
    const answers = readers.map(([, reader]) => readText(server, reader, path))
    for (const [at, { status, text }] of (await Promise.all(answers)).entries()) {
      if (status === 200) answered.add(path)
      const found = hidden.filter(
        (each, index) => text.includes(each) && !(index >= 3 && isForOperators(path)),
      )
      leaks.push(...found.map(each => `${readers[at]![0]}: ${path} shows ${each}`))
    }
  }
  return { answered, leaks }
}

const servers = {
  flexi: testServer({ env: { ESIGN_PROTOCOL: 'flexi' } }),
  native: testServer({ env: { ESIGN_PROTOCOL: 'native' } }),
}

describe.each(['flexi', 'native'] as const)('with %s requests', protocol => {
  const server = servers[protocol]

  test.each([askStranger, replaceStranger, askStrangerAsManager])(
    'no GET shows the name, e-mail or phone of someone who has not signed: %p',
    async createFixture => {
      const people = await createPeople(server)
      const fixture = await createFixture(people)

      const { answered, leaks } = await findLeaks(server, people, fixture)

      expect(leaks).toEqual([])
      const path = `/agreements/${fixture.agreement.id}`
      const needed = ['/tenants', '/dashboard', '/auth/me/export', `${path}/timeline`, `${path}/signatures`]
      const isSigned = createFixture !== askStranger
      const further = isSigned ? [`${path}/certificate`, `${path}/document`] : []
      const { request } = fixture
      const ofRequest = ['', '/comments'].map(part => `/maintenance-requests/${request.id}${part}`)
      expect([...needed, ...further, ...ofRequest].filter(each => !answered.has(each))).toEqual([])
      expect(fixture.signingIds.filter(id => !answered.has(`/sandbox/sign/${id}`))).toEqual([])
    },
  )
})

test('the name that a landlord gave is shown to that landlord, and the own name after signing', async () => {
  const server = servers.flexi
  const people = await createPeople(server)
  const { landlord, coTenant, stranger } = people
  const draft = await createAgreement(people, [stranger, coTenant])
  await landlord.post('/tenants', { phone_number: stranger.phone, first_name: 'Ravi' })
  const { signing_url } = await sign(stranger, draft, stranger)

  const getActorNames = async (reader: TestUser) => {
    const { data } = await reader.get(`${draft.path}/timeline`)
    const own = data.entries.filter((entry: { actor_id: number }) => entry.actor_id === stranger.id)
    return new Set(own.map((entry: { actor_name: string | null }) => entry.actor_name))
  }
  const ownName = 'Zebulonqx Quandaryvz'
  expect(await getActorNames(landlord)).toEqual(new Set(['Ravi']))
  expect(await getActorNames(coTenant)).toEqual(new Set([null]))
  expect(await getActorNames(stranger)).toEqual(new Set([ownName]))
  expect(await (await fetch(signing_url)).text()).toContain('Ravi, Kiraya asks for your signature')

  await fetch(`${signing_url}/sign`, { method: 'POST' })
  for (const reader of [landlord, coTenant]) expect(await getActorNames(reader)).toEqual(new Set([ownName]))
})
