import type { Kiraya, KirayaError, ProfileResponse, User } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import { MissingFlagsError } from '../runtime/errors'
import { getFieldTexts, toFlag, type FieldFlags, type FieldFlagTable } from '../input/flags'
import { submit } from '../input/values'
import { otpFields, phoneFields, toNextStepAdvice, verifyOtp } from './auth'
import { signInFields } from '../output/result-fields'

type Names = { first_name: string; last_name: string; email: string }
const nameFields: FieldFlags<Names> = {
  first_name: { kind: 'text', isRequired: true },
  last_name: { kind: 'text', isRequired: true },
  email: { kind: 'text', isRequired: true },
}
const fields: FieldFlagTable = { ...phoneFields, ...otpFields, ...nameFields }

type Options = { otp?: string }
type PhoneInput = { phone_number: string }

export function addOnboardCommand(program: CliCommand) {
  program
    .command('onboard')
    .description('Sign in, complete the profile and verify the identity; asks for missing values')
    .addFieldFlags(fields)
    .addResult(signInFields)
    .run(onboard)
}

async function onboard(context: Context, options: Options) {
  requireInputs(context, options)
  const client = await context.client()

  let user = await submit<PhoneInput, User>(context, phoneFields, options, ({ phone_number }) =>
    signIn(context, client, phone_number, options),
  )
  if (!user.has_completed_profile) user = await completeProfile(context, client, options)
  if (!user.has_verified_profile) user = await verifyIdentity(context, client)

  const { status } = await client.auth.me()
  context.show({ ...user, status })
  context.printNote(toNextStepAdvice(context, status))
}

/** Names every missing flag at once, before anything is sent. */
function requireInputs(context: Context, options: Options) {
  if (context.terminal.isInteractive) return
  const texts = getFieldTexts(fields, options)
  const missing = Object.keys(fields).filter(name => texts[name] === undefined)
  const flags = missing.map(name => toFlag(name, fields[name]!))
  if (flags.length > 0) throw new MissingFlagsError(flags)
}

/** If the given one-time password is not valid, a new one is sent; in the sandbox both are the same. */
async function signIn(context: Context, client: Kiraya, phone: string, options: Options): Promise<User> {
  const user = options.otp ? undefined : await findSignedInUser(context, client, phone)
  if (user) return user
  const earlierSignIn = options.otp ? await tryOtp(client, phone, options.otp) : undefined
  const signedIn = earlierSignIn ?? (await verifyNewOtp(context, client, phone, options))
  context.saveCredential(signedIn.access_token, phone)
  return signedIn.user
}

/** An onboarding that was left goes on without another one-time password. */
async function findSignedInUser({ token }: Context, client: Kiraya, phone: string) {
  if (!token) return
  const { user } = (await ignoreUnauthorized(client.auth.me())) ?? {}
  return user?.phone === phone ? user : undefined
}

const tryOtp = (client: Kiraya, phone: string, otp: string) =>
  ignoreUnauthorized(client.auth.verify(phone, otp))

async function ignoreUnauthorized<Result>(request: Promise<Result>) {
  try {
    return await request
  } catch (error) {
    const { code } = error as KirayaError
    if (code !== 'UNAUTHORIZED') throw error
  }
}

async function verifyNewOtp(context: Context, client: Kiraya, phone: string, options: Options) {
  const { message } = await client.auth.sendOtp(phone)
  context.printNote(message)
  return verifyOtp(context, client, phone, options)
}

async function completeProfile(context: Context, client: Kiraya, options: Options): Promise<User> {
  const { invitation } = await client.auth.me()
  const { user } = await submit<Names, ProfileResponse>(
    context,
    nameFields,
    options,
    client.profile.complete,
    { suggestions: { ...invitation } },
  )
  context.printNote('Your profile is complete')
  return user
}

async function verifyIdentity(context: Context, client: Kiraya): Promise<User> {
  const { verification_id, verification_url } = await client.profile.startKyc()
  context.printNote(`Verify your identity at ${verification_url}`)
  if (context.terminal.isInteractive)
    await context.terminal.ask({ message: 'Press Enter when you are done.' })
  const { user } = await client.profile.completeKyc(verification_id)
  context.printNote('Your identity is verified')
  return user
}
