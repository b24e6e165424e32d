import type { Command } from 'commander'
import type { CompleteProfileInput } from '@kiraya/sdk'
import type { AddAction } from '../context'
import { toRequestBody, addFieldFlags, type Fields } from '../field-flags'

const fields: Fields = { first_name: { kind: 'text' }, last_name: { kind: 'text' }, email: { kind: 'text' } }

export const addProfileCommands = (program: Command, act: AddAction) => {
  act(
    addFieldFlags(
      program
        .command('profile')
        .description('Your profile')
        .command('complete')
        .description('Complete or change your profile'),
      fields,
    ).option('--password-stdin', 'set the password that is read from stdin'),
    async (context, options: { passwordStdin?: boolean }) => {
      const body = toRequestBody<CompleteProfileInput>(fields, options, Object.keys(fields))
      const password = options.passwordStdin ? await context.io.readAll() : undefined
      const { message, user } = await (await context.client()).profile.complete({ ...body, password })
      context.show(user)
      context.printNote(message)
    },
  )

  const kyc = program.command('kyc').description('Your identity check')
  act(kyc.command('start').description('Start the identity check, or show the open one'), async context => {
    const started = await (await context.client()).profile.startKyc()
    context.show(started)
    context.printNote(`${started.message}. Then: kiraya kyc complete`)
  })
  act(
    kyc
      .command('complete')
      .description('Complete the identity check')
      .argument('[verification-id]', 'the open one by default'),
    async (context, id: string | undefined) => {
      const { profile: check } = await context.client()
      const { message, user } = await check.completeKyc(id ?? (await check.startKyc()).verification_id)
      context.show(user)
      context.printNote(message)
    },
  )

  act(program.command('dashboard').description('Counts and recent activity'), async context => {
    const { user, stats, recent_activity } = await (await context.client()).dashboard.get()
    if (context.isJsonOutput) return context.show({ user, stats, recent_activity })
    context.show(stats)
    context.show(recent_activity, ['occurred_at', 'message'])
  })
}
