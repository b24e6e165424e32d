import type { CheckOutcome, KirayaError, SigningOutcome } from '@kiraya/sdk'
import type { Context } from './context'
import { UsageError } from './errors'

const PAGE_TIMEOUT_MS = 15_000
const PAGE_PATH = /\/sandbox\/(sign|verify)\/[^/]+$/

/** `open` in development, `guarded` by a token as in production, or `absent`: all providers are real. */
export type SandboxAccess = 'open' | 'guarded' | 'absent'

/** Asks without a token, so that the answer tells what anyone can do. */
export async function findSandbox({ connection }: Context): Promise<SandboxAccess> {
  const { createSandboxClient } = await import('@kiraya/sdk/sandbox')
  try {
    await createSandboxClient(connection).state()
    return 'open'
  } catch (error) {
    const { code } = error as KirayaError
    if (code === 'NOT_FOUND') return 'absent'
    if (code === 'UNAUTHORIZED') return 'guarded'
    throw error
  }
}

/** Requires the sandbox. One that has a token may be in production, so the command asks there. */
export async function requireSandbox(context: Context, action: string, isConfirmed?: boolean) {
  const sandbox = await findSandbox(context)
  if (sandbox === 'absent')
    throw new UsageError('This command needs the sandbox, which this server does not have')
  if (sandbox === 'guarded') await context.confirm(action, isConfirmed)
}

/** Whether an address leads to a page of the sandbox, rather than to a real provider's. */
export const isSandboxPage = (address: string) => PAGE_PATH.test(URL.parse(address)?.pathname ?? '')

/** Presses a button of a signing page or of an identity check's page, as the person does. */
export async function pressButton(page: string, button: SigningOutcome | CheckOutcome) {
  const address = `${page}/${button}`
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
  })
  if (response.status >= 400) throw new Error(`${address} responded with ${response.status}`)
}
