import { createPhone, signInPerson, type Person } from '../runtime/people'
import { isSandboxPage, pressButton } from '../runtime/sandbox'
import { expectEqual, StepSkipped, type Flow } from './flow'

const ACTIVATION_TIMEOUT_MS = 10_000
/** Canada writes YYYY-MM-DD. */
const indianDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

export async function createProperty(flow: Flow) {
  flow.property = await flow.landlord!.client.properties.create({
    pin_code: 560048,
    property_type: 'apartment',
    society_building: 'Smoke Towers',
    property_units: [{ unit_name: 'A-101' }, { unit_name: 'A-102' }],
  })
  expectEqual(flow.property.city, 'Bengaluru', 'city of 560048')
}

export async function createTenant(flow: Flow) {
  const tenant = await signInPerson(flow.context, createPhone(), flow.otp)
  flow.tenant = tenant
  const created = await flow.landlord!.client.tenants.create({ phone_number: tenant.phone })
  expectEqual(created.id, tenant.id, 'id of the tenant')
}

export async function createAgreement(flow: Flow) {
  flow.agreement = await flow.landlord!.client.agreements.create({
    property_unit_id: flow.property!.property_units[0]!.id,
    tenant_ids: [flow.tenant!.id],
    document_url: `${flow.context.baseUrl}/sandbox/files/sample-lease.pdf`,
    // It begins today, so that its first rent is charged at once.
    agreement_start_date: indianDay.format(await loadServerTime(flow)),
    billing_cycle: 'anniversary',
    tenure_in_months: 11,
    rent_amount: 25000,
    deposit_amount: 100000,
    rent_due_day: 1,
    notice_period_days: 30,
  })
  expectEqual(flow.agreement.status, 'DRAFT', 'status')
}

/** The sandbox may have moved the server's clock. */
async function loadServerTime({ context, sandbox }: Flow) {
  if (sandbox !== 'open') return new Date()
  const { createSandboxClient } = await import('@kiraya/sdk/sandbox')
  const { clock } = await createSandboxClient(context.connection).state()
  return new Date(clock.now)
}

export const signAsLandlord = (flow: Flow) => sign(flow, flow.landlord!)
export const signAsTenant = (flow: Flow) => sign(flow, flow.tenant!)

async function sign({ agreement }: Flow, { client, id }: Person) {
  const { signing_url } = await client.agreements.sign(agreement!.id, { signer_id: id })
  if (!isSandboxPage(signing_url)) throw new StepSkipped('needs the sandbox')
  await pressButton(signing_url, 'sign')
}

export async function checkActivation({ landlord, agreement, property }: Flow) {
  const { client } = landlord!
  await client.agreements.waitFor(agreement!.id, 'ACTIVE', { timeoutMs: ACTIVATION_TIMEOUT_MS })
  const { allSigned } = await client.agreements.signatures(agreement!.id)
  expectEqual(allSigned, true, 'allSigned')
  const unit = await client.units.get(property!.id, property!.property_units[0]!.id)
  expectEqual(unit.is_available, false, 'availability of the unit')
  const { stats } = await client.dashboard.get()
  expectEqual(stats.total_tenants, 1, 'tenants on the dashboard')
}

export async function checkTimeline({ landlord, agreement }: Flow) {
  const { intact } = await landlord!.client.agreements.timeline(agreement!.id)
  expectEqual(intact, true, 'intact of the timeline')
}

export async function checkDocument({ tenant, agreement }: Flow) {
  const document = await tenant!.client.agreements.document(agreement!.id)
  expectPdf(document, 'signed document')
}

export async function checkCertificate({ landlord, agreement }: Flow) {
  const certificate = await landlord!.client.agreements.certificate(agreement!.id)
  expectPdf(certificate, 'certificate')
}

export async function endAgreement({ landlord, agreement }: Flow) {
  const { agreements } = landlord!.client
  const { status } = await agreements.terminate(agreement!.id, { reason: 'Smoke test' })
  expectEqual(status, 'TERMINATED', 'status')
}

export const deleteProperty = ({ landlord, property }: Flow) =>
  landlord!.client.properties.delete(property!.id)

function expectPdf(file: Uint8Array, name: string) {
  const signature = new TextDecoder().decode(file.slice(0, 5))
  expectEqual(signature, '%PDF-', `first bytes of the ${name}`)
}
