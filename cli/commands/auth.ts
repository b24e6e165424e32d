import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Kiraya, KirayaError, SignInResponse } from '@kiraya/sdk'
import { UsageError, type AddAction, type Context } from '../context'

const advice = {
  NEEDS_PROFILE_COMPLETION: 'Next: kiraya profile complete --first-name … --last-name … --email …',
  NEEDS_VERIFICATION: 'Next: kiraya kyc start',
  LOGIN_SUCCESSFUL: 'You are fully set up: kiraya dashboard',
} as const

export const addAuthCommands = (program: Command, act: AddAction) => {
  act(
    program
      .command('login')
      .description('Sign in with a one-time password, or with a password')
      .option('--phone <number>', '10-digit Indian mobile number')
      .option('--otp <digits>', 'the one-time password that was sent')
      .option('--password-stdin', 'read the password from stdin'),
    async (context, options: { phone?: string; otp?: string; passwordStdin?: boolean }) => {
      const kiraya = await context.client()
      const phone = options.phone ?? (await context.ask('Mobile number', '--phone'))
      if (options.passwordStdin)
        return signedIn(context, await kiraya.auth.login(phone, await context.io.readAll()))
      const otp = options.otp ?? (await sendAndAsk(context, kiraya, phone))
      if (otp) signedIn(context, await kiraya.auth.verify(phone, otp))
    },
  )

  act(
    program
      .command('logout')
      .description('Sign out here, or everywhere')
      .option('--all', 'end every session of yours'),
    async (context, options: { all?: boolean }) => {
      context.show(await (await context.client()).auth.logout({ all: options.all }))
      context.saveCredential(undefined)
    },
  )

  act(program.command('status').description('Who is signed in, and the next step'), async context => {
    const { user, status } = await (await context.client()).auth.me()
    context.show({ ...user, status })
    context.printNote(advice[status])
  })

  const auth = program.command('auth').description('What is kept about you')
  act(
    auth
      .command('export')
      .description('All that is kept about you, as JSON')
      .option('--file <path>', 'write it there instead of showing it'),
    async (context, options: { file?: string }) => {
      const data = await (await context.client()).auth.exportMyData()
      if (!options.file) return context.io.out(JSON.stringify(data, null, 2))
      await writeFile(options.file, `${JSON.stringify(data, null, 2)}\n`, { mode: 0o600 })
      context.printNote(`Written to ${options.file}`)
    },
  )
  act(
    auth
      .command('erase')
      .description('Erase you and all that tells of you, for good; signed agreements stay as evidence')
      .option('--otp <digits>', 'the one-time password that confirms it')
      .option('--yes', 'do not ask'),
    erase,
  )

  act(
    program
      .command('onboard')
      .description('Sign in, complete the profile and verify the identity; asks for what no flag gives')
      .option('--phone <number>', '10-digit Indian mobile number')
      .option('--otp <digits>', 'the one-time password')
      .option('--first-name <text>')
      .option('--last-name <text>')
      .option('--email <address>'),
    onboard,
  )
}

/** Without a one-time password one is sent to the user's own number first. */
async function erase(context: Context, options: { otp?: string; yes?: boolean }) {
  const kiraya = await context.client()
  const {
    user: { phone },
  } = await kiraya.auth.me()
  await context.confirm(`Erase ${phone} and all that is kept about you, for good`, options.yes)
  if (!options.otp) context.printNote((await kiraya.auth.sendOtp(phone)).message)
  if (!options.otp && !context.io.isInteractive)
    return context.printNote('Next: kiraya auth erase --yes --otp <the one-time password>')
  context.show(
    await kiraya.auth.eraseMyData(options.otp ?? (await context.ask('One-time password', '--otp'))),
  )
  context.saveCredential(undefined)
}

function signedIn(context: Context, { access_token, user, status }: SignInResponse) {
  context.saveCredential(access_token, user.phone)
  context.show({ ...user, status })
  context.printNote(`Signed in. ${advice[status]}`)
}

/** Undefined where nobody can be asked: then the next command is named. */
async function sendAndAsk(context: Context, kiraya: Kiraya, phone: string) {
  const sent = await kiraya.auth.sendOtp(phone)
  context.printNote(sent.message)
  if (context.io.isInteractive) return context.ask('One-time password', '--otp')
  context.show(sent)
  context.printNote(`Next: kiraya login --phone ${phone} --otp <the one-time password>`)
}

/** Has a one-time password sent; one given beforehand can only be right in the sandbox, where it is always the same. */
async function verifyFresh(context: Context, kiraya: Kiraya, phone: string, otp?: string) {
  context.printNote((await kiraya.auth.sendOtp(phone)).message)
  return kiraya.auth.verify(phone, otp ?? (await context.ask('One-time password', '--otp')))
}

type Onboarding = { phone?: string; otp?: string; firstName?: string; lastName?: string; email?: string }

async function onboard(context: Context, options: Onboarding) {
  const missing = (['phone', 'otp', 'firstName', 'lastName', 'email'] as const).filter(
    name => options[name] === undefined,
  )
  if (missing.length && !context.io.isInteractive)
    throw new UsageError(
      `${missing.map(name => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`).join(', ')} ${missing.length > 1 ? 'are' : 'is'} required where nobody can be asked`,
    )
  const kiraya = await context.client()
  const phone = options.phone ?? (await context.ask('Mobile number', '--phone'))
  const earlier =
    options.otp &&
    (await kiraya.auth.verify(phone, options.otp).catch((error: KirayaError) => {
      if (error.code !== 'UNAUTHORIZED') throw error
    }))
  let { user } = earlier || (await verifyFresh(context, kiraya, phone, options.otp))
  context.saveCredential(kiraya.token, phone)
  if (!user.has_completed_profile) {
    ;({ user } = await kiraya.profile.complete({
      first_name: options.firstName ?? (await context.ask('First name', '--first-name')),
      last_name: options.lastName ?? (await context.ask('Last name', '--last-name')),
      email: options.email ?? (await context.ask('E-mail', '--email')),
    }))
    context.printNote('Your profile is complete')
  }
  if (!user.has_verified_profile) {
    const { verification_id, verification_url } = await kiraya.profile.startKyc()
    context.printNote(`Prove your identity at ${verification_url}`)
    if (context.io.isInteractive) await context.io.ask('Press Enter when you have.')
    ;({ user } = await kiraya.profile.completeKyc(verification_id))
    context.printNote('Your identity is verified')
  }
  const { status } = await kiraya.auth.me()
  context.show({ ...user, status })
  context.printNote(advice[status])
}
