import type { CompleteProfileInput, ProfileResponse } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import type { Context } from '../runtime/context'
import type { FieldFlags } from '../input/flags'
import { submit } from '../input/values'
import { addSignInCommands } from './sign-ins'
import { profileResultFields } from '../output/result-fields'

/** Passwords come from stdin, because other processes can read flags. */
type ProfileInput = Omit<CompleteProfileInput, 'password' | 'current_password'>

export const profileFields: FieldFlags<ProfileInput> = {
  first_name: { kind: 'text', isRequired: true },
  last_name: { kind: 'text', isRequired: true },
  email: { kind: 'text', isRequired: true },
  pan: { kind: 'text', description: 'PAN, for receipts and rent proofs of more than ₹1,00,000 a year' },
  otp: { kind: 'text', description: 'one-time password that confirms a changed password' },
}

type PasswordOptions = { passwordStdin?: boolean; currentPasswordStdin?: boolean }

export function addProfileCommands(program: CliCommand) {
  const profile = program.command('profile').description('Your profile, and the sign-ins stored here')

  profile
    .command('complete')
    .description('Complete or change your profile')
    .addFieldFlags(profileFields)
    .option('--password-stdin', 'read a new password from stdin')
    .option('--current-password-stdin', 'read the current password from the line before the new one')
    .addResult(profileResultFields)
    .run(async (context, options: PasswordOptions) => {
      const passwords = await readPasswords(context, options)
      const client = await context.client()
      const { message, user } = await submit<ProfileInput, ProfileResponse>(
        context,
        profileFields,
        options,
        input => client.profile.complete({ ...input, ...passwords }),
      )
      context.show(user)
      context.printNote(message)
    })

  addSignInCommands(profile)
}

async function readPasswords({ terminal }: Context, options: PasswordOptions) {
  if (!options.passwordStdin) return {}
  const text = await terminal.readAll()
  if (!options.currentPasswordStdin) return { password: text }
  const [current_password, password] = text.split(/\r?\n/)
  return { current_password, password: password ?? '' }
}
