import type { MaintenanceStatus } from '@kiraya/sdk/contract'
import { createLease } from '../../support/books/lease-fixture'
import { fetchChecked } from '../../support/description'
import { newRequest } from '../../support/maintenance-fixture'
import type { TestServer } from '../../support/server'
import {
  agreementTerms,
  completeSigning,
  createManager,
  requireSuccess,
  type TestUser,
} from '../../support/users'

export const REQUESTS = '/maintenance-requests'

type Changes = Record<string, unknown>

/** A unit with a manager, and its ACTIVE lease with two tenants. */
export async function createHouse(server: TestServer, terms: Changes = {}) {
  const lease = await createLease(server, terms, 2)
  const manager = await createManager(server)
  const unitPath = `/properties/${lease.property.id}/units/${lease.unit.id}`
  requireSuccess(await lease.landlord.patch(unitPath, { managed_by_id: manager.id }), 'Appointing a manager')
  return { ...lease, manager, coTenant: lease.tenants[1]!, unitPath }
}
export type House = Awaited<ReturnType<typeof createHouse>>

export const toRequest = ({ unit }: Pick<House, 'unit'>, changes: Changes = {}) => ({
  ...newRequest(unit.id),
  ...changes,
})

/** A request for the unit of a house; `path` is the request's. */
export async function raise(house: Pick<House, 'unit'>, by: TestUser, changes: Changes = {}) {
  const { data } = requireSuccess(await by.post(REQUESTS, toRequest(house, changes)), 'Raising a request')
  return { request: data, path: `${REQUESTS}/${data.id}` }
}

export const move = (by: TestUser, path: string, status: MaintenanceStatus, comment?: string) =>
  by.post(`${path}/status`, { status, comment })

/** Puts a request into a state, as if it had come there at a time. */
export function setStatus(
  server: TestServer,
  id: number,
  status: MaintenanceStatus,
  resolved_at: Date | null,
) {
  const requests = server.db.updateTable('maintenance_requests')
  return requests.set({ status, resolved_at }).where('id', '=', id).execute()
}

/** Another lease of the unit, which everyone has signed. */
export async function createNextLease(
  { landlord, manager, unit }: Pick<House, 'landlord' | 'manager' | 'unit'>,
  tenant: TestUser,
  agreement_start_date: string,
) {
  const terms = agreementTerms(unit.id, [tenant.id], { agreement_start_date, deposit_amount: null })
  const { data } = requireSuccess(await landlord.post('/agreements', terms), 'Creating an agreement')
  for (const party of [landlord, manager, tenant]) await completeSigning(party, data.id, party.id)
  return data as { id: number }
}

/** Attaches the bytes of a file to a request. */
export const attach = (by: TestUser, path: string, file: Uint8Array) => by.post(`${path}/attachments`, file)

/** Downloads an attachment of a request. */
export async function download(
  { url }: { url: string },
  { token }: TestUser,
  path: string,
  attachmentId: string,
) {
  const response = await fetchChecked(`${url}${path}/attachments/${attachmentId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.bytes()) }
}
