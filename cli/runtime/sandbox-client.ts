import type { Context } from './context'

/** Creates a client of the simulated providers, with the token from the environment if there is one. */
export async function createSandbox({ connection, terminal }: Context) {
  const { createSandboxClient } = await import('@kiraya/sdk/sandbox')
  return createSandboxClient({ ...connection, token: terminal.env.KIRAYA_SANDBOX_TOKEN })
}
