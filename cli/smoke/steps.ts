import { signInPerson, verifyIdentity } from '../runtime/people'
import { createSandbox, findSandbox, pressButton } from '../runtime/sandbox'
import { bookkeepingSteps } from './bookkeeping'
import { expectEqual, type Flow } from './flow'
import { maintenanceSteps } from './maintenance'
import type { Step } from './run-flow'

const TIMEOUT_MS = 15_000
/** Canada writes YYYY-MM-DD. */
const indianDay = new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kolkata' })

/** In the order in which they run. A landlord who was signed in before stays unchanged. */
export const smokeSteps: Step[] = [
  {
    title: 'see the server ready',
    run: async flow => {
      const { context, isOtpGiven } = flow
      flow.sandbox = await findSandbox(context)
      flow.hasOwnUsers = flow.sandbox !== 'absent' || isOtpGiven
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const { status } = await fetch(`${context.baseUrl}/health/ready`, { signal })
      expectEqual(status, 200, 'status of /health/ready')
    },
  },
  {
    title: 'sign in a landlord',
    needs: 'the sandbox, --otp or a stored sign-in',
    run: async flow => {
      flow.landlord = await (flow.hasOwnUsers ? signUp(flow) : findSignedIn(flow))
    },
  },
  {
    title: 'complete the profile',
    run: async ({ hasOwnUsers, landlord: { client } }) => {
      const profile = { first_name: 'Smoke', last_name: 'Test', email: 'smoke@example.com' }
      if (hasOwnUsers) await client.profile.complete(profile)
      const { user } = await client.auth.me()
      expectEqual(user.has_completed_profile, true, 'has_completed_profile')
    },
  },
  {
    title: 'verify the identity',
    run: async ({ hasOwnUsers, landlord: { client } }) => {
      if (hasOwnUsers) await verifyIdentity(client)
      const { user } = await client.auth.me()
      expectEqual(user.has_verified_profile, true, 'has_verified_profile')
    },
  },
  {
    title: 'see the dashboard',
    run: async ({ hasOwnUsers, landlord }) => {
      const { stats } = await landlord.client.dashboard.get()
      if (hasOwnUsers) expectEqual(stats.total_properties, 0, 'properties on the dashboard')
    },
  },
  {
    title: 'create a property with units',
    run: async flow => {
      flow.property = await flow.landlord.client.properties.create({
        pin_code: 560048,
        property_type: 'apartment',
        society_building: 'Smoke Towers',
        property_units: [{ unit_name: 'A-101' }, { unit_name: 'A-102' }],
      })
      expectEqual(flow.property.city, 'Bengaluru', 'city of 560048')
    },
  },
  {
    title: 'create a tenant',
    needs: 'users of its own',
    run: async flow => {
      flow.tenant = await signUp(flow)
      const { id } = await flow.landlord.client.tenants.create({ phone_number: flow.tenant.phone })
      expectEqual(id, flow.tenant.id, 'id of the tenant')
    },
  },
  { title: 'create an agreement', needs: 'the sandbox', run: createAgreement },
  { title: 'sign as the landlord', run: flow => sign(flow, 'landlord') },
  { title: 'sign as the tenant', run: flow => sign(flow, 'tenant') },
  {
    title: 'see the agreement active',
    run: async ({ landlord: { client }, agreement, property }) => {
      await client.agreements.waitFor(agreement.id, 'ACTIVE', { timeoutMs: TIMEOUT_MS })
      const { allSigned } = await client.agreements.signatures(agreement.id)
      expectEqual(allSigned, true, 'allSigned')
      const unit = await client.units.get(property.id, property.property_units[0]!.id)
      expectEqual(unit.is_available, false, 'availability of the unit')
      const { stats } = await client.dashboard.get()
      expectEqual(stats.total_tenants, 1, 'tenants on the dashboard')
    },
  },
  {
    title: 'read the timeline',
    run: async ({ landlord, agreement }) => {
      const { intact } = await landlord.client.agreements.timeline(agreement.id)
      expectEqual(intact, true, 'intact of the timeline')
    },
  },
  {
    title: 'download the signed document',
    run: async ({ tenant, agreement }) => expectPdf(await tenant.client.agreements.document(agreement.id)),
  },
  {
    title: 'download the certificate',
    run: async ({ tenant, agreement }) => expectPdf(await tenant.client.agreements.certificate(agreement.id)),
  },
  ...maintenanceSteps,
  ...bookkeepingSteps,
]

/** Signs in with a random mobile number. */
function signUp({ context, otp }: Flow) {
  const [random] = crypto.getRandomValues(new Uint32Array(1))
  return signInPerson(context, String(9_000_000_000 + (random! % 1_000_000_000)), otp)
}

async function findSignedIn({ context }: Flow) {
  const client = await context.client()
  const { user } = await client.auth.me()
  return { id: user.id, phone: user.phone, client }
}

async function createAgreement(flow: Flow) {
  flow.agreement = await flow.landlord.client.agreements.create({
    property_unit_id: flow.property.property_units[0]!.id,
    tenant_ids: [flow.tenant.id],
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
  const client = await createSandbox(context)
  const { clock } = await client.state()
  return new Date(clock.now)
}

async function sign({ agreement, ...people }: Flow, signer: 'landlord' | 'tenant') {
  const { client, id } = people[signer]
  const { signing_url } = await client.agreements.sign(agreement.id, { signer_id: id })
  await pressButton(signing_url, 'sign')
}

const expectPdf = (file: Uint8Array) =>
  expectEqual(new TextDecoder().decode(file.slice(0, 5)), '%PDF-', 'first bytes')
