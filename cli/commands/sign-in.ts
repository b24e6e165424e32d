import type { Kiraya, KirayaError, SignInResponse, SignInStatus } from '@kiraya/sdk'
import { SendOtpResponse, User, VerifyOtpInput } from '@kiraya/sdk/contract/auth'
import { phoneWords, pickFlags, toFieldFlags } from '../input/flags'
import { findRefusedFields, submit } from '../input/values'
import type { Context } from '../runtime/context'
import { findSandbox } from '../runtime/sandbox'
import { createVerb } from '../runtime/verbs'

export const signInFields = toFieldFlags(VerifyOtpInput, { phone_number: phoneWords })
const phoneFields = pickFlags(signInFields, 'phone_number')
export const otpFields = pickFlags(signInFields, 'otp')

type PhoneInput = { phone_number: string }
type OtpInput = { otp: string }

const nextSteps: Record<SignInStatus, [remark: string, command: string]> = {
  NEEDS_PROFILE_COMPLETION: ['Next', 'onboard'],
  NEEDS_VERIFICATION: ['Next', 'kyc start'],
  LOGIN_SUCCESSFUL: ['You are fully set up', 'dashboard'],
}

export function toNextStepAdvice(context: Context, status: SignInStatus) {
  const [remark, command] = nextSteps[status]
  return `${remark}: ${context.toCommandLine(command)}`
}

/** What `--json` may choose of a sign-in, or of a one-time password that was sent. */
const result = { properties: { ...User.properties, ...SendOtpResponse.properties, status: {} } }

export const verb = createVerb(
  {
    fields: signInFields,
    addFlags: command => command.option('--password-stdin', 'read the password from stdin'),
    result,
  },
  async (context, _, options: { passwordStdin?: boolean; otp?: string }) => {
    const client = await context.client()
    const signedIn = options.passwordStdin
      ? await signInWithPassword(context, client, options)
      : await signInWithOtp(context, client, options)
    if (!signedIn) return
    const { user, status } = signedIn
    context.show({ ...user, status })
    context.printNote(`Signed in. ${toNextStepAdvice(context, status)}`)
  },
)

async function signInWithPassword(context: Context, client: Kiraya, options: object) {
  const password = await context.terminal.readAll()
  const signIn = ({ phone_number }: PhoneInput) => client.auth.login(phone_number, password)
  return storeSignIn(context, await submit(context, phoneFields, options, signIn))
}

type SignedIn = { user: User; status: SignInStatus }
type FindSession = (phone: string) => Promise<SignedIn | undefined>

/**
 * Signs in with the given one-time password, or sends one and asks for it, unless there is a session to go on with.
 * In non-interactive mode it shows the next command and returns nothing.
 */
export async function signInWithOtp(
  context: Context,
  client: Kiraya,
  options: { otp?: string },
  findSession: FindSession = async () => undefined,
): Promise<SignedIn | undefined> {
  const begin = async ({ phone_number }: PhoneInput) => {
    const session = options.otp ? undefined : await findSession(phone_number)
    if (!options.otp && !session) await sendOtp(context, client, phone_number)
    return { phone: phone_number, session }
  }
  const { phone, session } = await submit(context, phoneFields, options, begin)
  if (session || (!options.otp && !context.terminal.isInteractive)) return session
  const verify = ({ otp }: OtpInput) => verifyOrSend(context, client, phone, otp)
  return storeSignIn(context, await submitOtp(context, options, verify))
}

async function sendOtp(context: Context, client: Kiraya, phone: string) {
  const response = await client.auth.sendOtp(phone)
  context.printNote(response.message)
  if (context.terminal.isInteractive) return
  context.show(response)
  printCommandWithOtp(context, `login --phone ${phone}`)
}

/** Names the next command, with a placeholder for the one-time password that was sent. */
export function printCommandWithOtp(context: Context, command: string) {
  context.printNote(`Next: ${context.toCommandLine(`${command} --otp <the one-time password>`)}`)
}

/** A wrong one-time password is 401, so the field is asked for again. */
export function submitOtp<Result>(
  context: Context,
  options: object,
  send: (input: OtpInput) => Promise<Result>,
) {
  const findBlamed = (error: unknown) =>
    (error as KirayaError).code === 'UNAUTHORIZED' ? ['otp'] : findRefusedFields(error)
  return submit(context, otpFields, options, send, { findBlamed })
}

/** The sandbox's one-time password is known before it was sent, so it is sent now if the server has none. */
async function verifyOrSend(context: Context, client: Kiraya, phone: string, otp: string) {
  try {
    return await client.auth.verify(phone, otp)
  } catch (error) {
    if ((error as KirayaError).reason !== 'wrong_otp') throw error
    const sandbox = await findSandbox(context).catch(() => 'absent')
    if (sandbox === 'absent') throw error
  }
  await client.auth.sendOtp(phone)
  return client.auth.verify(phone, otp)
}

function storeSignIn(context: Context, signedIn: SignInResponse) {
  context.saveCredential(signedIn.access_token, signedIn.user.phone)
  return signedIn
}
