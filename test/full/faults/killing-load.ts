import type { Kiraya } from '@kiraya/sdk'
import { createClient, KirayaError } from '@kiraya/sdk'
import { freshPhone } from '../../support/users'
import { chooseSeed, createRandom } from '../../support/random'

const TIMEOUT_MS = 8000
/** Of the choices of faults, parties and orders; what happens when is up to the machine. */
export const seed = chooseSeed()
const random = createRandom(seed)
const { chance } = random
const pick = <T>(...items: T[]) => random.pick(items)

const RETRIED = ['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE', 'INTERNAL_SERVER_ERROR']

export type Party = { kiraya: Kiraya; id: number }

/** One fault rule for the sandbox's e-sign provider. */
const chooseFault = () =>
  pick(
    { provider: 'esign', on: 'create', behaviour: pick('timeout', 'error', 'garbage', 'lost') },
    { provider: 'esign', on: 'status', behaviour: pick('timeout', 'error', 'garbage', 'lost') },
    { provider: 'esign', on: 'cancel', behaviour: pick('error', 'lost') },
    { provider: 'esign', on: 'pdf', behaviour: pick('timeout', 'error', 'garbage', 'lost', 'link') },
    { provider: 'esign', on: 'webhook', behaviour: pick('twice', 'shuffled', 'forged', 'never') },
    { provider: 'esign', on: 'webhook', behaviour: 'late', delay_ms: 1500 },
  )

/** Keeps three fault rules at a time and changes them, so that a third of the calls fail and none for ever. */
export function startProviderFaults(url: string) {
  let faults = 0
  let isRunning = true
  const control = (method: string, body?: unknown) =>
    fetch(`${url}/sandbox/control/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  async function replaceRules() {
    await control('DELETE')
    for (let rule = 0; rule < 3; rule++) {
      const { status } = await control('POST', chooseFault())
      if (status === 201) faults++
    }
  }
  const running = (async () => {
    while (isRunning) {
      await replaceRules().catch(() => {}) // the server is being replaced
      await Bun.sleep(200 + Math.random() * 400)
    }
  })()
  return {
    stop: async () => {
      isRunning = false
      await running
      await control('DELETE')
      return faults
    },
  }
}

type SigningLoad = {
  failures: Map<string, number>
  /** Whether the provider has noted that the signature was signed or declined. */
  hasEnded: (signatureId: string) => Promise<boolean>
}

/** Repeats what fails for a reason that may pass. The test's own time-out bounds it. */
async function retry<T>({ failures }: SigningLoad, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof KirayaError ? error.code : 'PAGE'
      failures.set(code, (failures.get(code) ?? 0) + 1)
      if (code !== 'PAGE' && !RETRIED.includes(code)) throw error
      await Bun.sleep(50 + Math.random() * 200)
    }
  }
}

export async function signInParty(load: SigningLoad, baseUrl: string): Promise<Party> {
  const kiraya = createClient({ baseUrl, timeoutMs: TIMEOUT_MS })
  const phone = freshPhone()
  await retry(load, () => kiraya.auth.sendOtp(phone))
  const { user } = await kiraya.auth.verify(phone, '123456')
  return { kiraya, id: user.id }
}

/** Creates an agreement and has most of its parties sign it or, rarely, decline. */
export async function signAgreement(
  load: SigningLoad,
  landlord: Party,
  tenants: Party[],
  onCreated: (agreementId: number) => void,
) {
  const property = await retry(load, () =>
    landlord.kiraya.properties.create({
      pin_code: 560048,
      property_type: 'apartment',
      property_units: [{ unit_name: 'A-101' }],
    }),
  )
  const { id } = await retry(load, () =>
    landlord.kiraya.agreements.create({
      property_unit_id: property.property_units[0]!.id,
      tenant_ids: tenants.map(tenant => tenant.id),
      document_url: 'https://example.com/lease.pdf',
      agreement_start_date: '2026-12-01',
      tenure_in_months: 11,
      rent_amount: 25000,
      rent_due_day: 5,
      notice_period_days: 30,
    }),
  )
  onCreated(id)
  const parties = random.shuffle([landlord, ...tenants])
  for (const party of parties) {
    if (chance(0.05)) continue // this party never signs
    const starter = chance(0.5) ? party : landlord
    await endSignature(load, starter, id, party.id, chance(0.06) ? 'decline' : 'sign')
  }
}

/** Goes to the provider's page until the provider has noted what the party wants. */
async function endSignature(
  load: SigningLoad,
  starter: Party,
  agreementId: number,
  signer_id: number,
  button: 'sign' | 'decline',
) {
  for (let hasEnded = false; !hasEnded;) {
    const started = await retry(load, () => starter.kiraya.agreements.sign(agreementId, { signer_id })).catch(
      error => {
        if (/already signed/.test(error.message)) return undefined
        throw error
      },
    )
    if (!started) return
    hasEnded = await retry(load, async () => {
      await pressButton(`${started.signing_url}/${button}`)
      return load.hasEnded(started.signature_id)
    })
  }
}

async function pressButton(url: string) {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { status } = await fetch(url, { method: 'POST', redirect: 'manual', signal })
  if (status !== 200 && status !== 400) throw new Error(`The page answered ${status}`)
}
