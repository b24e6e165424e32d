import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  for (const signer of ['', `--signer ${lease.tenant.id}`]) {
    const signing = await shell.kiraya(`agreement sign ${lease.draft.id} ${signer}`)
    await fetch(`${signing.data.signing_url}/sign`, { method: 'POST' })
  }
  return lease
}
