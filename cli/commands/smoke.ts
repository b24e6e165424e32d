import type { Command } from 'commander'
import type { Kiraya } from '@kiraya/sdk'
import type { AddAction, Context } from '../context'

/** What the next steps need of the earlier ones. */
type Run = {
  landlord: Kiraya
  tenant: Kiraya
  landlordId: number
  tenantId: number
  propertyId: number
  unitId: number
  agreementId: number
}

export const addSmokeCommand = (program: Command, act: AddAction) => {
  act(
    program
      .command('smoke')
      .description(
        'Run the whole main job against a server and its sandbox, from sign-in to a closed agreement',
      )
      .option('--otp <digits>', "the sandbox's one-time password", '123456'),
    async (context, { otp }: { otp: string }) => {
      const run = {} as Run
      const took: { step: string; ms: number }[] = []
      for (const [step, work] of Object.entries(steps(context, run, otp))) {
        const began = performance.now()
        await work().catch((error: unknown) => {
          context.io.err(`${step}: failed`)
          throw error
        })
        took.push({ step, ms: Math.round(performance.now() - began) })
        if (!context.isJsonOutput)
          context.io.out(`${step.padEnd(36)} ${String(took.at(-1)!.ms).padStart(6)} ms`)
      }
      if (context.isJsonOutput) context.show(took)
      context.printNote(`All ${took.length} steps passed`)
    },
  )
}

const beginning = (file: Uint8Array) => new TextDecoder().decode(file.slice(0, 5))

const steps = (context: Context, run: Run, otp: string): Record<string, () => Promise<unknown>> => ({
  'sign in a landlord': async () => {
    const { id, client } = await newcomer(context, otp)
    Object.assign(run, { landlordId: id, landlord: client })
  },
  'complete the profile': () =>
    run.landlord.profile.complete({ first_name: 'Smoke', last_name: 'Test', email: 'smoke@example.com' }),
  'verify the identity': async () =>
    run.landlord.profile.completeKyc((await run.landlord.profile.startKyc()).verification_id),
  'see the dashboard': async () =>
    expected((await run.landlord.dashboard.get()).stats.total_properties, 0, 'properties on the dashboard'),
  'list a property with units': async () => {
    const property = await run.landlord.properties.create({
      pin_code: 560048,
      property_type: 'apartment',
      society_building: 'Smoke Towers',
      property_units: [{ unit_name: 'A-101' }, { unit_name: 'A-102' }],
    })
    expected(property.city, 'Bengaluru', 'city of 560048')
    Object.assign(run, { propertyId: property.id, unitId: property.property_units[0]!.id })
  },
  'name a tenant': async () => {
    const { id, phone, client } = await newcomer(context, otp)
    expected((await run.landlord.tenants.create({ phone_number: phone })).id, id, 'id of the tenant')
    Object.assign(run, { tenantId: id, tenant: client })
  },
  'draw up an agreement': async () => {
    const { id, status } = await run.landlord.agreements.create({
      property_unit_id: run.unitId,
      tenant_ids: [run.tenantId],
      document_url: `${context.baseUrl}/sandbox/files/sample-lease.pdf`,
      agreement_start_date: '2026-12-01',
      tenure_in_months: 11,
      rent_amount: 25000,
      deposit_amount: 100000,
      rent_due_day: 5,
      notice_period_days: 30,
    })
    expected(status, 'DRAFT', 'status')
    run.agreementId = id
  },
  'sign as the landlord': () => signAs(run.landlord, run, run.landlordId),
  'sign as the tenant': () => signAs(run.tenant, run, run.tenantId),
  'see the agreement active': async () => {
    for (let tries = 0; (await run.landlord.agreements.get(run.agreementId)).status !== 'ACTIVE'; tries++) {
      if (tries > 40) throw new Error('The agreement did not become ACTIVE within 10 s')
      await Bun.sleep(250)
    }
    expected((await run.landlord.agreements.signatures(run.agreementId)).allSigned, true, 'allSigned')
    expected(
      (await run.landlord.units.get(run.propertyId, run.unitId)).is_available,
      false,
      'availability of the unit',
    )
    expected((await run.landlord.dashboard.get()).stats.total_tenants, 1, 'tenants on the dashboard')
  },
  'read its timeline': async () =>
    expected(
      (await run.landlord.agreements.timeline(run.agreementId)).intact,
      true,
      'intactness of the timeline',
    ),
  'fetch the signed document': async () =>
    expected(
      beginning(await run.tenant.agreements.document(run.agreementId)),
      '%PDF-',
      'beginning of the signed document',
    ),
  'fetch the certificate': async () =>
    expected(
      beginning(await run.landlord.agreements.certificate(run.agreementId)),
      '%PDF-',
      'beginning of the certificate',
    ),
  'terminate and close it': async () => {
    await run.landlord.agreements.terminate(run.agreementId, { reason: 'Smoke test' })
    expected((await run.landlord.agreements.complete(run.agreementId)).status, 'COMPLETED', 'status')
  },
  'take the property down': () => run.landlord.properties.delete(run.propertyId),
  'sign out': () => Promise.all([run.landlord.auth.logout(), run.tenant.auth.logout()]),
})

/** Somebody new, in a session of their own: what is stored for this terminal is not touched. */
async function newcomer({ baseUrl }: Context, otp: string) {
  const { createClient } = await import('@kiraya/sdk')
  const client = createClient({ baseUrl })
  const phone = `9${String(crypto.getRandomValues(new Uint32Array(1))[0]! % 1_000_000_000).padStart(9, '0')}`
  await client.auth.sendOtp(phone)
  const { user } = await client.auth.verify(phone, otp)
  return { id: user.id, phone, client }
}

async function signAs(client: Kiraya, run: Run, signer_id: number) {
  const { signing_url } = await client.agreements.sign(run.agreementId, { signer_id })
  const pressed = await fetch(`${signing_url}/sign`, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  })
  if (pressed.status >= 400)
    throw new Error(`${signing_url}/sign answered ${pressed.status}; smoke needs the sandbox`)
}

function expected<T>(found: T, right: T, what: string) {
  if (found !== right) throw new Error(`${what}: ${String(found)} instead of ${String(right)}`)
}
