import type { TestServer } from '../../support/server'
import { completeProfile, signInUser, type TestUser } from '../../support/users'

/** The words on the certificate of a lease of these parties, and those that `rewriteAll` puts in their place. */
export const SIGNED = ['A-101', 'White House', 'Asha Rao', 'Tara Iyer']
export const REWRITTEN = ['B-202', 'Black House', 'Indira Nair', 'Usha Menon']

async function createTenant(server: TestServer) {
  const tenant = await signInUser(server)
  await completeProfile(tenant, { first_name: 'Tara', last_name: 'Iyer' })
  return tenant
}

export async function createParties(server: TestServer) {
  const landlord = await signInUser(server)
  await completeProfile(landlord)
  return { landlord, tenant: await createTenant(server) }
}

type Lease = { property: { id: number }; unit: { id: number } }

export async function rewriteLease(landlord: TestUser, { property, unit }: Lease) {
  await landlord.patch(`/properties/${property.id}/units/${unit.id}`, { unit_name: 'B-202' })
  await landlord.patch(`/properties/${property.id}`, { society_building: 'Black House' })
}

export async function rewriteAll(landlord: TestUser, tenant: TestUser, lease: Lease) {
  await rewriteLease(landlord, lease)
  await completeProfile(landlord, { first_name: 'Indira', last_name: 'Nair' })
  await completeProfile(tenant, { first_name: 'Usha', last_name: 'Menon' })
}

export const findIn = (text: string, words: string[]) => words.filter(word => text.includes(word))

export const selectEntries = (server: TestServer, agreementId: number) =>
  server.db
    .selectFrom('timeline_entries')
    .where('agreement_id', '=', agreementId)
    .orderBy('position')
    .select(['type', 'snapshot'])
    .execute()

export const isIntact = async (reader: TestUser, path: string) =>
  (await reader.get(`${path}/timeline`)).data.intact as boolean
