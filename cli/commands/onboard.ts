import type { Kiraya, KirayaError } from '@kiraya/sdk'
import { User } from '@kiraya/sdk/contract/auth'
import { CompleteProfileInput } from '@kiraya/sdk/contract/profile'
import { pickFlags, toFieldFlags } from '../input/flags'
import { requireFlags, submit } from '../input/values'
import type { Context } from '../runtime/context'
import { createVerb } from '../runtime/verbs'
import { signInFields, signInWithOtp, toNextStepAdvice } from './sign-in'

const nameFields = pickFlags(toFieldFlags(CompleteProfileInput), 'first_name', 'last_name', 'email')
const fields = { ...signInFields, ...nameFields }

export const verb = createVerb(
  {
    fields,
    result: { properties: { ...User.properties, status: {} } },
  },
  async (context, _, options) => {
    if (!context.terminal.isInteractive) requireFlags(fields, options)
    const client = await context.client()
    const signedIn = await signInWithOtp(context, client, options, phone =>
      findSession(context, client, phone),
    )
    if (!signedIn) return
    let { user } = signedIn
    if (!user.has_completed_profile) user = await completeProfile(context, client, options)
    if (!user.has_verified_profile) user = await verifyIdentity(context, client)

    const { status } = await client.auth.me()
    context.show({ ...user, status })
    context.printNote(toNextStepAdvice(context, status))
  },
)

/** An onboarding that was left goes on without another one-time password. */
async function findSession({ token }: Context, client: Kiraya, phone: string) {
  if (!token) return undefined
  const session = await client.auth.me().catch((error: KirayaError) => {
    if (error.code !== 'UNAUTHORIZED') throw error
  })
  return session?.user.phone === phone ? session : undefined
}

async function completeProfile(context: Context, client: Kiraya, options: object) {
  const { invitation } = await client.auth.me()
  const { complete } = client.profile
  const suggestions = { ...invitation }
  const { user, warnings } = await submit(context, nameFields, options, complete, { suggestions })
  context.printNote('Your profile is complete')
  context.printWarnings(warnings)
  return user
}

async function verifyIdentity(context: Context, client: Kiraya) {
  const { verification_id, verification_url } = await client.profile.startKyc()
  context.printNote(`Verify your identity at ${verification_url}`)
  if (context.terminal.isInteractive)
    await context.terminal.ask({ message: 'Press Enter when you are done.' })
  const { user } = await client.profile.completeKyc(verification_id)
  context.printNote('Your identity is verified')
  return user
}
