import { open } from 'node:fs/promises'
import type { Kiraya, KirayaError, Message, SignInResponse, SignInStatus } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import type { FieldFlags } from '../input/flags'
import { findRefusedFields, submit } from '../input/values'
import { findSandbox } from '../runtime/sandbox'
import { loginResultFields, messageResultFields } from '../output/result-fields'

export const phoneFields: FieldFlags<{ phone_number: string }> = {
  phone_number: {
    kind: 'phone',
    alias: 'phone',
    description: 'Indian mobile number, such as +91 98765 43210',
    isRequired: true,
  },
}

export const otpFields: FieldFlags<{ otp: string }> = {
  otp: {
    kind: 'text',
    description: 'one-time password that was sent',
    isRequired: true,
  },
}

const nextSteps: Record<SignInStatus, [remark: string, command: string]> = {
  NEEDS_PROFILE_COMPLETION: ['Next', 'onboard'],
  NEEDS_VERIFICATION: ['Next', 'kyc start'],
  LOGIN_SUCCESSFUL: ['You are fully set up', 'dashboard'],
}

export function toNextStepAdvice(context: Context, status: SignInStatus) {
  const [remark, command] = nextSteps[status]
  return `${remark}: ${context.toCommandLine(command)}`
}

/** A wrong one-time password is 401, so the field is asked for again. */
export const findWrongOtp = (error: unknown) =>
  (error as KirayaError).code === 'UNAUTHORIZED' ? ['otp'] : findRefusedFields(error)

export function addAuthCommands(program: CliCommand) {
  program
    .command('login')
    .description('Sign in with a one-time password or a password')
    .addFieldFlags(phoneFields)
    .addFieldFlags(otpFields)
    .option('--password-stdin', 'read the password from stdin')
    .addResult(loginResultFields)
    .run(signIn)

  program
    .command('logout')
    .description('Sign out')
    .option('--all', 'end all of your sessions')
    .addResult(messageResultFields)
    .run(async (context, options: { all?: boolean }) => {
      const client = await context.client()
      const response = await client.auth.logout({ all: options.all })
      context.show(response)
      context.removeCredential()
    })

  program
    .command('status')
    .description('Show who is signed in and the next step')
    .run(async context => {
      const client = await context.client()
      const { user, status } = await client.auth.me()
      context.show({ ...user, status })
      context.printNote(toNextStepAdvice(context, status))
    })

  const auth = program.command('auth').description('Your personal data')
  auth
    .command('export')
    .description('Export all data stored about you, as JSON')
    .option('--file <path>', 'write to this file instead of stdout')
    .run(exportMyData)
  auth
    .command('erase')
    .description('Erase you and your data for good; signed agreements stay as evidence')
    .addFieldFlags(otpFields)
    .addConfirmFlag()
    .addResult(messageResultFields)
    .run(eraseMyData)
}

type LoginOptions = { otp?: string; passwordStdin?: boolean }

async function signIn(context: Context, options: LoginOptions) {
  const client = await context.client()
  if (options.passwordStdin) return signInWithPassword(context, client, options)
  const sendOtp = ({ phone_number }: { phone_number: string }) => requestOtp(context, client, phone_number)
  const keepPhone = async ({ phone_number }: { phone_number: string }) => phone_number
  const phone = await submit(context, phoneFields, options, options.otp ? keepPhone : sendOtp)
  if (!options.otp && !context.terminal.isInteractive) return
  const response = await verifyOtp(context, client, phone, options)
  storeSignIn(context, response)
}

async function signInWithPassword(context: Context, client: Kiraya, options: LoginOptions) {
  const password = await context.terminal.readAll()
  const response = await submit<{ phone_number: string }, SignInResponse>(
    context,
    phoneFields,
    options,
    ({ phone_number }) => client.auth.login(phone_number, password),
  )
  storeSignIn(context, response)
}

/** Sends a one-time password and returns the number; in non-interactive mode it names the next command. */
async function requestOtp(context: Context, client: Kiraya, phone: string) {
  const response = await client.auth.sendOtp(phone)
  context.printNote(response.message)
  if (!context.terminal.isInteractive) {
    context.show(response)
    printCommandWithOtp(context, `login --phone ${phone}`)
  }
  return phone
}

/** Names the next command, with a placeholder for the one-time password that was sent. */
function printCommandWithOtp(context: Context, command: string) {
  context.printNote(`Next: ${context.toCommandLine(`${command} --otp <the one-time password>`)}`)
}

export function verifyOtp(context: Context, client: Kiraya, phone: string, options: object) {
  const verify = ({ otp }: { otp: string }) => verifyOrSend(context, client, phone, otp)
  return submit<{ otp: string }, SignInResponse>(context, otpFields, options, verify, {
    findBlamed: findWrongOtp,
  })
}

/** The sandbox's one-time password is known before it was sent, so it is sent now if the server has none. */
async function verifyOrSend(context: Context, client: Kiraya, phone: string, otp: string) {
  try {
    return await client.auth.verify(phone, otp)
  } catch (error) {
    if ((error as KirayaError).reason !== 'wrong_otp' || !(await hasSandbox(context))) throw error
  }
  await client.auth.sendOtp(phone)
  return client.auth.verify(phone, otp)
}

const hasSandbox = (context: Context) =>
  findSandbox(context).then(
    sandbox => sandbox !== 'absent',
    () => false,
  )

function storeSignIn(context: Context, { access_token, user, status }: SignInResponse) {
  context.saveCredential(access_token, user.phone)
  context.show({ ...user, status })
  context.printNote(`Signed in. ${toNextStepAdvice(context, status)}`)
}

async function exportMyData(context: Context, options: { file?: string }) {
  const client = await context.client()
  const data = await client.auth.exportMyData()
  if (!options.file) return context.showJson(data)
  const json = JSON.stringify(data, null, 2)
  await writePrivateFile(options.file, `${json}\n`)
  context.printNote(`Written to ${options.file}`)
}

/** Writes a file that only its owner may read, also if others could read the one that was there. */
async function writePrivateFile(path: string, text: string) {
  const file = await open(path, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(text)
  } finally {
    await file.close()
  }
}

/** Without a one-time password, sends one to the user's number first. */
async function eraseMyData(context: Context, options: { otp?: string; yes?: boolean }) {
  const client = await context.client()
  const { user } = await client.auth.me()
  await context.confirm(`Erase ${user.phone} and all data stored about you, for good`, options.yes)

  if (!options.otp) {
    const { message } = await client.auth.sendOtp(user.phone)
    context.printNote(message)
    if (!context.terminal.isInteractive) return printCommandWithOtp(context, 'auth erase --yes')
  }

  const erase = ({ otp }: { otp: string }) => client.auth.eraseMyData(otp)
  const findBlamed = findWrongOtp
  const response = await submit<{ otp: string }, Message>(context, otpFields, options, erase, { findBlamed })
  context.show(response)
  context.removeCredential()
}
