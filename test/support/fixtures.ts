import { canStoreSignatures, storeSignature } from './signatures'
import { requireSuccess } from './requests'
import type { TestUser } from './users'

type Changes = Record<string, unknown>

/** A property with one unit; `path` is the property's. */
export async function createProperty(landlord: TestUser, changes: Changes = {}) {
  const created = await landlord.post('/properties', {
    pin_code: 560048,
    property_type: 'apartment',
    society_building: 'White House',
    property_units: [{ unit_name: 'A-101' }],
    ...changes,
  })
  const { data: property } = requireSuccess(created, 'Creating a property')
  return { property, path: `/properties/${property.id}` }
}

/** A property with one unit; `path` is the unit's. */
export async function createUnit(landlord: TestUser, changes: Changes = {}) {
  const { property } = await createProperty(landlord, {
    property_units: [{ unit_name: 'A-101', ...changes }],
  })
  const [unit] = property.property_units
  return { property, unit, path: `/properties/${property.id}/units/${unit.id}` }
}

/** The body of a new agreement. */
export const agreementTerms = (property_unit_id: number, tenant_ids: number[], changes: Changes = {}) => ({
  property_unit_id,
  tenant_ids,
  document_url: 'https://example.com/lease.pdf',
  agreement_start_date: '2026-12-01',
  tenure_in_months: 11,
  rent_amount: 25000,
  deposit_amount: 100000,
  rent_due_day: 5,
  notice_period_days: 30,
  ...changes,
})

/** A draft for a unit of its own; `path` is the agreement's. */
export async function createDraft(landlord: TestUser, tenants: TestUser[], changes: Changes = {}) {
  const { property, unit } = await createUnit(landlord)
  const tenantIds = tenants.map(({ id }) => id)
  const created = await landlord.post('/agreements', agreementTerms(unit.id, tenantIds, changes))
  const { data: agreement } = requireSuccess(created, 'Creating an agreement')
  return { property, unit, agreement, path: `/agreements/${agreement.id}` }
}

/** An agreement that the landlord has signed and the tenants have not. */
export async function createPendingAgreement(landlord: TestUser, tenants: TestUser[], changes: Changes = {}) {
  const draft = await createDraft(landlord, tenants, changes)
  await signAs(landlord, draft.agreement.id)
  return withCurrentAgreement(landlord, draft)
}

/** An agreement that everyone has signed in the sandbox. */
export async function createActiveAgreement(landlord: TestUser, tenants: TestUser[], changes: Changes = {}) {
  const draft = await createDraft(landlord, tenants, changes)
  for (const party of [landlord, ...tenants]) await signAs(party, draft.agreement.id)
  return withCurrentAgreement(landlord, draft)
}

/** Starts and completes a party's own signing; by requests if the server is another process. */
async function signAs(party: TestUser, agreementId: number) {
  if (canStoreSignatures(party.deps)) await storeSignature(party.deps, agreementId, party.id)
  else await completeSigning(party, agreementId, party.id)
}

async function withCurrentAgreement<T extends { path: string }>(landlord: TestUser, fixture: T) {
  const { data: agreement } = await landlord.get(fixture.path)
  return { ...fixture, agreement }
}

type SigningResult = { signature_id: string; signing_url: string; pressed: number }

/** Starts a party's signing and presses a button on the sandbox's page. */
export async function completeSigning(
  starter: TestUser,
  agreementId: number,
  signerId: number,
  button = 'sign',
): Promise<SigningResult> {
  const started = await starter.post(`/agreements/${agreementId}/sign`, { signer_id: signerId })
  const { data } = requireSuccess(started, 'Starting to sign')
  const pressed = await fetch(`${data.signing_url}/${button}`, { method: 'POST', redirect: 'manual' })
  return { ...data, pressed: pressed.status }
}
