import { booksServer } from '../../../support/books/lease-fixture'
import { readCertificate } from '../../../support/certificate-text'
import { readPdfText } from '../../../support/pdf'
import type { TestServer } from '../../../support/server'
import {
  agreementTerms,
  completeProfile,
  createLandlord,
  createUnit,
  requireSuccess,
  signInUser,
  type TestUser,
} from '../../../support/users'

export const GIVEN = { first_name: 'Zebulonqx', last_name: 'Quandaryvz' }
export const OWN = { first_name: 'Meenakshiw', last_name: 'Sundaramx', email: 'meena.canary@example.com' }

export const paperServer = () => booksServer('2026-12-01')

/** A draft of a landlord who named its tenant; the tenant has a profile with another name. */
export async function createPaperDraft(server: TestServer, changes: Record<string, unknown> = {}) {
  const [landlord, tenant, manager] = [
    await createLandlord(server),
    await signInUser(server),
    await signInUser(server),
  ]
  await completeProfile(tenant, OWN)
  await landlord.post('/tenants', { phone_number: tenant.phone, ...GIVEN })
  const { unit } = await createUnit(landlord, { managed_by_id: manager.id })
  const terms = agreementTerms(unit.id, [tenant.id], { agreement_start_date: '2026-10-01', ...changes })
  const { data: agreement } = requireSuccess(await landlord.post('/agreements', terms), 'Creating a draft')
  const path = `/agreements/${agreement.id}`
  const record = (body: Record<string, unknown> = {}) =>
    landlord.post(`${path}/record`, { signed_on: '2026-09-20', ...body })
  return { landlord, tenant, manager, unit, agreement, path, record }
}

export async function createRecorded(server: TestServer, changes: Record<string, unknown> = {}) {
  const draft = await createPaperDraft(server, changes)
  requireSuccess(await draft.record(), 'Recording a lease')
  return draft
}
export type Recorded = Awaited<ReturnType<typeof createRecorded>>

export async function readDocument(server: TestServer, reader: TestUser, path: string) {
  const headers = { authorization: `Bearer ${reader.token}` }
  const response = await fetch(`${server.url}${path}`, { headers })
  return response.status === 200 ? readPdfText(await response.bytes()) : String(response.status)
}

/** What the landlord reads of a lease and its tenants. */
export async function readAsLandlord(server: TestServer, { landlord, path, agreement }: Recorded) {
  const paths = [
    path,
    `${path}/timeline`,
    '/tenants',
    '/books/rent-roll',
    '/books/arrears',
    '/books/expiring?days=365',
  ]
  const answers = await Promise.all(paths.map(async each => JSON.stringify((await landlord.get(each)).body)))
  const statement = await readDocument(server, landlord, `${path}/statement/pdf`)
  return [...answers, statement, (await readCertificate(server, landlord, agreement.id)).text]
    .join('\n')
    .replaceAll(/\s+/g, ' ')
}

export const namesIn = (text: string) =>
  Object.entries({ given: GIVEN.first_name, own: OWN.first_name })
    .filter(([, name]) => text.includes(name))
    .map(([name]) => name)

export const listTypes = async (reader: TestUser, path: string) =>
  (await reader.get(`${path}/timeline`)).data.entries.map(({ type }: { type: string }) => type) as string[]
