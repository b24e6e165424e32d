import type { CheckOutcome, KirayaError, SigningOutcome } from '@kiraya/sdk'
import type { Context } from './context'
import { UsageError } from './errors'

const PAGE_TIMEOUT_MS = 15_000
const PAGE_PATH = /\/sandbox\/(sign|verify)\/[^/]+$/

/** `open` in development, `guarded` by a token as in production, or `absent`: all providers are real. */
export type SandboxAccess = 'open' | 'guarded' | 'absent'

/** The page of a real provider, on which only the person can act. */
export class NotSandboxError extends UsageError {}

/** Creates a client of the simulated providers, with the token from the environment if there is one. */
export async function createSandbox({ connection, terminal }: Context) {
  const { createSandboxClient } = await import('@kiraya/sdk/sandbox')
  return createSandboxClient({ ...connection, token: terminal.env.KIRAYA_SANDBOX_TOKEN })
}

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

/** Presses a button of a signing page or of an identity check's page, as the person does. */
export async function pressButton(page: string, button: SigningOutcome | CheckOutcome) {
  if (!PAGE_PATH.test(URL.parse(page)?.pathname ?? ''))
    throw new NotSandboxError(`${page} is not a page of the sandbox`)
  const address = `${page}/${button}`
  const response = await fetch(address, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(PAGE_TIMEOUT_MS),
  })
  if (response.status >= 400) throw new Error(`${address} responded with ${response.status}`)
}
