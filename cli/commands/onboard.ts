import type { Kiraya, KirayaError, User } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { MissingFlagsError } from '../exit-codes'
import { say } from '../messages'
import { nextStepAdvice } from './auth'

const inputs = {
  phone: { flag: '--phone', label: say('ask_phone') },
  otp: { flag: '--otp', label: say('ask_otp') },
  firstName: { flag: '--first-name', label: say('ask_first_name') },
  lastName: { flag: '--last-name', label: say('ask_last_name') },
  email: { flag: '--email', label: say('ask_email') },
}
type InputName = keyof typeof inputs
type Options = { [Name in InputName]?: string }

export function addOnboardCommand(program: CliCommand) {
  program
    .command('onboard')
    .description('Sign in, complete the profile and verify the identity; asks for missing values')
    .option('--phone <number>', '10-digit Indian mobile number')
    .option('--otp <digits>', 'one-time password')
    .option('--first-name <text>')
    .option('--last-name <text>')
    .option('--email <address>')
    .run(onboard)
}

async function onboard(context: Context, options: Options) {
  requireInputs(context, options)
  const client = await context.client()
  const phone = await getInput(context, options, 'phone')

  let user = await signIn(context, client, phone, options)
  if (!user.has_completed_profile) user = await completeProfile(context, client, options)
  if (!user.has_verified_profile) user = await verifyIdentity(context, client)

  const { status } = await client.auth.me()
  context.show({ ...user, status })
  context.printNote(nextStepAdvice[status])
}

/** Names every missing flag at once, before anything is sent. */
function requireInputs(context: Context, options: Options) {
  if (context.terminal.isInteractive) return
  const names = Object.keys(inputs) as InputName[]
  const missingFlags = names.filter(name => options[name] === undefined).map(name => inputs[name].flag)
  if (missingFlags.length > 0) throw new MissingFlagsError(missingFlags, context.terminal)
}

async function getInput(context: Context, options: Options, name: InputName) {
  const { flag, label } = inputs[name]
  return options[name] ?? context.ask(label, flag)
}

/** If the given one-time password is not valid, a new one is sent; in the sandbox both are the same. */
async function signIn(context: Context, client: Kiraya, phone: string, options: Options): Promise<User> {
  const earlierSignIn = options.otp ? await tryOtp(client, phone, options.otp) : undefined
  const signIn = earlierSignIn ?? (await verifyNewOtp(context, client, phone, options))
  context.saveCredential(signIn.access_token, phone)
  return signIn.user
}

async function tryOtp(client: Kiraya, phone: string, otp: string) {
  try {
    return await client.auth.verify(phone, otp)
  } catch (error) {
    const { code } = error as KirayaError
    if (code !== 'UNAUTHORIZED') throw error
  }
}

async function verifyNewOtp(context: Context, client: Kiraya, phone: string, options: Options) {
  const { message } = await client.auth.sendOtp(phone)
  context.printNote(message)
  const otp = await getInput(context, options, 'otp')
  return client.auth.verify(phone, otp)
}

async function completeProfile(context: Context, client: Kiraya, options: Options): Promise<User> {
  const { user } = await client.profile.complete({
    first_name: await getInput(context, options, 'firstName'),
    last_name: await getInput(context, options, 'lastName'),
    email: await getInput(context, options, 'email'),
  })
  context.printNote(say('profile_completed'))
  return user
}

async function verifyIdentity(context: Context, client: Kiraya): Promise<User> {
  const { verification_id, verification_url } = await client.profile.startKyc()
  context.printNote(say('verify_at', { url: verification_url }))
  if (context.terminal.isInteractive) await context.pause()
  const { user } = await client.profile.completeKyc(verification_id)
  context.printNote(say('identity_verified'))
  return user
}
