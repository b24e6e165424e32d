import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toIndianDate } from '../../server/domain/dates'
import { freshPhone } from '../support/users'

export const OTP = '123456'
const CLI = join(import.meta.dir, '../../cli/index.ts')

type RunOptions = { stdin?: string; env?: Record<string, string> }
export type Shell = ReturnType<typeof createShell>

/** A shell without a terminal, in an empty home folder. */
export function createShell(url: string) {
  const home = mkdtempSync(join(tmpdir(), 'kiraya-cli-'))

  /** Runs one command line, in which double quotes hold blanks together. */
  async function kiraya(commandLine: string, { stdin, env = {} }: RunOptions = {}) {
    const run = Bun.spawn([process.execPath, '--no-env-file', CLI, ...toArguments(commandLine)], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, KIRAYA_URL: url, ...env },
      stdin: stdin === undefined ? 'ignore' : new Blob([stdin]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
    return {
      exitCode: await run.exited,
      out,
      err,
      get data() {
        return JSON.parse(out)
      },
    }
  }

  return { home, kiraya, [Symbol.dispose]: () => rmSync(home, { recursive: true }) }
}

export const toArguments = (commandLine: string) =>
  Array.from(commandLine.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word)

/** A shell in which a landlord has signed in and finished the onboarding. */
export async function createLandlordShell(url: string) {
  const shell = createShell(url)
  const phone = freshPhone()
  const { exitCode, err } = await shell.kiraya(
    `onboard --phone ${phone} --otp ${OTP} --first-name Asha --last-name Rao --email asha@example.com`,
  )
  if (exitCode !== 0) throw new Error(err)
  return { ...shell, phone }
}

/** A draft with one tenant, made by commands alone. */
export async function createLease(
  { kiraya }: Pick<Shell, 'kiraya'>,
  url: string,
  tenantPhone = freshPhone(),
) {
  const property = await kiraya('property create --pin-code 560048 --property-type apartment')
  const unit = await kiraya(`unit create ${property.data.id} --unit-name A-101 --is-available true`)
  const tenant = await kiraya(`tenant create --phone ${tenantPhone} --first-name Tara`)
  const agreement = await kiraya(
    `agreement create --unit ${unit.data.id} --tenant ${tenant.data.id}
      --document-url ${url}/sandbox/files/sample-lease.pdf --start 2026-12-01 --months 11
      --rent 25000 --deposit 100000 --due-day 5 --notice-days 30`,
  )
  return { property: property.data, unit: unit.data, tenant: tenant.data, draft: agreement.data }
}

/** The same, signed by both parties. */
export async function createActiveLease(shell: Pick<Shell, 'kiraya'>, url: string) {
  const lease = await createLease(shell, url)
  await signLease(shell, lease)
  return lease
}

type Lease = Awaited<ReturnType<typeof createLease>>

async function signLease({ kiraya }: Pick<Shell, 'kiraya'>, { draft, tenant }: Lease) {
  for (const signer of ['', `--signer ${tenant.id}`]) {
    const signing = await kiraya(`agreement sign ${draft.id} ${signer}`)
    await fetch(`${signing.data.signing_url}/sign`, { method: 'POST' })
  }
}

/**
 * A lease that began today: a deposit of 1,00,000, a rent of 25,000 and 2,500 for maintenance are due. The tenant
 * has this phone number.
 */
export async function createBilledLease(
  { kiraya }: Pick<Shell, 'kiraya'>,
  url: string,
  tenantPhone = freshPhone(),
) {
  const lease = await createLease({ kiraya }, url, tenantPhone)
  const today = toIndianDate(new Date())
  await kiraya(
    `agreement update ${lease.draft.id} --start ${today} --due-day 1 --billing-cycle anniversary
      --recurring-charge "maintenance:2500:Society maintenance"`,
  )
  await signLease({ kiraya }, lease)
  const charges = await kiraya(`charge list --agreement ${lease.draft.id} --sort id`)
  const findCharge = (type: string) => charges.data.find((charge: { type: string }) => charge.type === type)
  return {
    ...lease,
    today,
    deposit: findCharge('deposit'),
    rent: findCharge('rent'),
    maintenance: findCharge('maintenance'),
  }
}
