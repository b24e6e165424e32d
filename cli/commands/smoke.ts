import { setTimeout } from 'node:timers/promises'
import type { Agreement, Kiraya, PropertyWithUnits } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { TranslatedError } from '../exit-codes'
import { say } from '../messages'

const ACTIVATION_TIMEOUT_MS = 10_000
const POLL_INTERVAL_MS = 250
const SIGN_TIMEOUT_MS = 15_000

type Timing = { step: string; ms: number }
type RunStep = <Result>(step: string, work: () => Promise<Result>) => Promise<Result>
type Party = { id: number; phone: string; client: Kiraya }

export function addSmokeCommand(program: CliCommand) {
  program
    .command('smoke')
    .description('Test a server and its sandbox, from sign-in to a closed agreement')
    .option('--otp <digits>', "the sandbox's one-time password", '123456')
    .run(async (context, options: { otp: string }) => {
      const timings: Timing[] = []
      const runStep = createStepRunner(context, timings)
      await runSmokeTest(context, options.otp, runStep)
      if (context.isJsonOutput) context.show(timings)
      context.printNote(say('smoke_passed', { steps: timings.length }))
    })
}

function createStepRunner(context: Context, timings: Timing[]): RunStep {
  return async (step, work) => {
    const startedAt = performance.now()
    const result = await work().catch((error: unknown) => {
      context.terminal.err(context.translate(say('smoke_failed', { step })))
      throw error
    })
    const ms = Math.round(performance.now() - startedAt)
    timings.push({ step, ms })
    if (!context.isJsonOutput) context.terminal.out(`${step.padEnd(36)} ${String(ms).padStart(6)} ms`)
    return result
  }
}

async function runSmokeTest(context: Context, otp: string, runStep: RunStep) {
  const landlord = await runStep('sign in a landlord', () => signUp(context, otp))
  await onboard(landlord, runStep)
  const property = await runStep('create a property with units', () => createProperty(landlord))
  const tenant = await runStep('create a tenant', () => createTenant(context, otp, landlord))
  const agreement = await runStep('create an agreement', () =>
    createAgreement(context, landlord, tenant, property),
  )
  await runStep('sign as the landlord', () => sign(landlord, agreement))
  await runStep('sign as the tenant', () => sign(tenant, agreement))
  await runStep('see the agreement active', () => checkActivation(landlord, agreement, property))
  await checkEvidence(landlord, tenant, agreement, runStep)
  await runStep('terminate and complete the agreement', () => endAgreement(landlord, agreement))
  await runStep('delete the property', () => landlord.client.properties.delete(property.id))
  await runStep('sign out', () => Promise.all([landlord.client.auth.logout(), tenant.client.auth.logout()]))
}

/** Signs up a new user with a client of their own, so the stored sign-in stays untouched. */
async function signUp({ baseUrl, language }: Context, otp: string): Promise<Party> {
  const { createClient } = await import('@kiraya/sdk')
  const client = createClient({ baseUrl, language })
  const phone = createPhone()
  await client.auth.sendOtp(phone)
  const { user } = await client.auth.verify(phone, otp)
  return { id: user.id, phone, client }
}

function createPhone() {
  const [random] = crypto.getRandomValues(new Uint32Array(1))
  const digits = String(random! % 1_000_000_000).padStart(9, '0')
  return `9${digits}`
}

async function onboard({ client }: Party, runStep: RunStep) {
  await runStep('complete the profile', () =>
    client.profile.complete({ first_name: 'Smoke', last_name: 'Test', email: 'smoke@example.com' }),
  )
  await runStep('verify the identity', async () => {
    const { verification_id } = await client.profile.startKyc()
    await client.profile.completeKyc(verification_id)
  })
  await runStep('see the dashboard', async () => {
    const { stats } = await client.dashboard.get()
    expectEqual(stats.total_properties, 0, 'properties on the dashboard')
  })
}

async function createProperty({ client }: Party) {
  const property = await client.properties.create({
    pin_code: 560048,
    property_type: 'apartment',
    society_building: 'Smoke Towers',
    property_units: [{ unit_name: 'A-101' }, { unit_name: 'A-102' }],
  })
  expectEqual(property.city, 'Bengaluru', 'city of 560048')
  return property
}

async function createTenant(context: Context, otp: string, landlord: Party) {
  const tenant = await signUp(context, otp)
  const created = await landlord.client.tenants.create({ phone_number: tenant.phone })
  expectEqual(created.id, tenant.id, 'id of the tenant')
  return tenant
}

async function createAgreement(
  context: Context,
  landlord: Party,
  tenant: Party,
  { property_units }: PropertyWithUnits,
) {
  const agreement = await landlord.client.agreements.create({
    property_unit_id: property_units[0]!.id,
    tenant_ids: [tenant.id],
    document_url: `${context.baseUrl}/sandbox/files/sample-lease.pdf`,
    agreement_start_date: '2026-12-01',
    tenure_in_months: 11,
    rent_amount: 25000,
    deposit_amount: 100000,
    rent_due_day: 5,
    notice_period_days: 30,
  })
  expectEqual(agreement.status, 'DRAFT', 'status')
  return agreement
}

async function sign({ client, id }: Party, agreement: Agreement) {
  const { signing_url } = await client.agreements.sign(agreement.id, { signer_id: id })
  const response = await fetch(`${signing_url}/sign`, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(SIGN_TIMEOUT_MS),
  })
  if (response.status < 400) return
  throw new TranslatedError(
    say('smoke_needs_sandbox', { url: `${signing_url}/sign`, status: response.status }),
  )
}

async function checkActivation({ client }: Party, { id }: Agreement, property: PropertyWithUnits) {
  await waitUntilActive(client, id)
  const { allSigned } = await client.agreements.signatures(id)
  expectEqual(allSigned, true, 'allSigned')
  const unit = await client.units.get(property.id, property.property_units[0]!.id)
  expectEqual(unit.is_available, false, 'availability of the unit')
  const { stats } = await client.dashboard.get()
  expectEqual(stats.total_tenants, 1, 'tenants on the dashboard')
}

async function waitUntilActive(client: Kiraya, agreementId: number) {
  const deadline = performance.now() + ACTIVATION_TIMEOUT_MS
  while (performance.now() < deadline) {
    const { status } = await client.agreements.get(agreementId)
    if (status === 'ACTIVE') return
    await setTimeout(POLL_INTERVAL_MS)
  }
  throw new TranslatedError(say('smoke_not_active', { seconds: ACTIVATION_TIMEOUT_MS / 1_000 }))
}

async function checkEvidence(landlord: Party, tenant: Party, { id }: Agreement, runStep: RunStep) {
  await runStep('read the timeline', async () => {
    const { intact } = await landlord.client.agreements.timeline(id)
    expectEqual(intact, true, 'intact of the timeline')
  })
  await runStep('download the signed document', async () => {
    const document = await tenant.client.agreements.document(id)
    expectPdf(document, 'signed document')
  })
  await runStep('download the certificate', async () => {
    const certificate = await landlord.client.agreements.certificate(id)
    expectPdf(certificate, 'certificate')
  })
}

async function endAgreement({ client }: Party, { id }: Agreement) {
  await client.agreements.terminate(id, { reason: 'Smoke test' })
  const { status } = await client.agreements.complete(id)
  expectEqual(status, 'COMPLETED', 'status')
}

function expectPdf(file: Uint8Array, name: string) {
  const signature = new TextDecoder().decode(file.slice(0, 5))
  expectEqual(signature, '%PDF-', `first bytes of the ${name}`)
}

function expectEqual<Value>(actual: Value, expected: Value, name: string) {
  if (actual === expected) return
  throw new TranslatedError(
    say('smoke_unexpected', { name, expected: String(expected), actual: String(actual) }),
  )
}
