import type { CompleteProfileInput } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import type { Context } from '../context'
import { toRequestBody, type FieldFlags } from '../field-flags'

/** Passwords come from stdin, because other processes can read flags. */
type ProfileInput = Omit<CompleteProfileInput, 'password' | 'current_password'>

const profileFields: FieldFlags<ProfileInput> = {
  first_name: { kind: 'text', isRequired: true },
  last_name: { kind: 'text', isRequired: true },
  email: { kind: 'text', isRequired: true },
  otp: { kind: 'text', description: 'one-time password that confirms a changed password' },
}

type PasswordOptions = { passwordStdin?: boolean; currentPasswordStdin?: boolean }

export function addProfileCommands(program: CliCommand) {
  const profile = program.command('profile').description('Your profile')

  profile
    .command('complete')
    .description('Complete or change your profile')
    .addFieldFlags(profileFields)
    .option('--password-stdin', 'read a new password from stdin')
    .option('--current-password-stdin', 'read the current password from the line before the new one')
    .run(async (context, options: PasswordOptions) => {
      const input = toRequestBody<ProfileInput>(profileFields, options)
      const passwords = await readPasswords(context, options)
      const client = await context.client()
      const { message, user } = await client.profile.complete({ ...input, ...passwords })
      context.show(user)
      context.printNote(message)
    })
}

async function readPasswords({ terminal }: Context, options: PasswordOptions) {
  if (!options.passwordStdin) return {}
  const text = await terminal.readAll()
  if (!options.currentPasswordStdin) return { password: text }
  const [current_password, password] = text.split(/\r?\n/)
  return { current_password, password: password ?? '' }
}
