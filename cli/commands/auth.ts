import { writeFile } from 'node:fs/promises'
import type { Kiraya, SignInResponse, SignInStatus } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { say, type Text } from '../messages'

export const nextStepAdvice: Record<SignInStatus, Text> = {
  NEEDS_PROFILE_COMPLETION: say('next_profile'),
  NEEDS_VERIFICATION: say('next_kyc_start'),
  LOGIN_SUCCESSFUL: say('next_dashboard'),
}

export function addAuthCommands(program: CliCommand) {
  program
    .command('login')
    .description('Sign in with a one-time password or a password')
    .option('--phone <number>', '10-digit Indian mobile number')
    .option('--otp <digits>', 'one-time password that was sent')
    .option('--password-stdin', 'read the password from stdin')
    .run(signIn)

  program
    .command('logout')
    .description('Sign out')
    .option('--all', 'end all of your sessions')
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
      context.printNote(nextStepAdvice[status])
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
    .option('--otp <digits>', 'one-time password that confirms the erasure')
    .addConfirmFlag()
    .run(eraseMyData)
}

type LoginOptions = { phone?: string; otp?: string; passwordStdin?: boolean }

async function signIn(context: Context, options: LoginOptions) {
  const client = await context.client()
  const phone = options.phone ?? (await context.ask(say('ask_phone'), '--phone'))
  if (options.passwordStdin) {
    const password = await context.terminal.readAll()
    const response = await client.auth.login(phone, password)
    return storeSignIn(context, response)
  }

  const otp = options.otp ?? (await requestOtp(context, client, phone))
  if (!otp) return
  const response = await client.auth.verify(phone, otp)
  storeSignIn(context, response)
}

/** Sends a one-time password and asks for it. In non-interactive mode it names the next command instead. */
async function requestOtp(context: Context, client: Kiraya, phone: string) {
  const response = await client.auth.sendOtp(phone)
  context.printNote(response.message)
  if (context.terminal.isInteractive) return context.ask(say('ask_otp'), '--otp')
  context.show(response)
  context.printNote(say('next_login', { phone }))
}

function storeSignIn(context: Context, { access_token, user, status }: SignInResponse) {
  context.saveCredential(access_token, user.phone)
  context.show({ ...user, status })
  context.printNote(say('signed_in'))
  context.printNote(nextStepAdvice[status])
}

async function exportMyData(context: Context, options: { file?: string }) {
  const client = await context.client()
  const data = await client.auth.exportMyData()
  const json = JSON.stringify(data, null, 2)
  if (!options.file) return context.terminal.out(json)
  await writeFile(options.file, `${json}\n`, { mode: 0o600 })
  context.printNote(say('file_written', { file: options.file }))
}

/** Without a one-time password, sends one to the user's number first. */
async function eraseMyData(context: Context, options: { otp?: string; yes?: boolean }) {
  const client = await context.client()
  const { user } = await client.auth.me()
  await context.confirm(say('erase_account', { phone: user.phone }), options.yes)

  if (!options.otp) {
    const { message } = await client.auth.sendOtp(user.phone)
    context.printNote(message)
    if (!context.terminal.isInteractive) return context.printNote(say('next_erase'))
  }

  const otp = options.otp ?? (await context.ask(say('ask_otp'), '--otp'))
  const response = await client.auth.eraseMyData(otp)
  context.show(response)
  context.removeCredential()
}
