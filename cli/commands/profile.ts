import { Profile } from '@kiraya/sdk/contract/auth'
import { CompleteProfileInput } from '@kiraya/sdk/contract/profile'
import { toFieldFlags } from '../input/flags'
import { submit } from '../input/values'
import type { Context } from '../runtime/context'
import { createVerb, type Verbs } from '../runtime/verbs'
import { storedSignInVerbs } from './stored-sign-ins'

/** Passwords come from stdin, because other processes can read flags. */
type ProfileInput = Omit<CompleteProfileInput, 'password' | 'current_password'>
type PasswordOptions = { passwordStdin?: boolean; currentPasswordStdin?: boolean }

const fields = toFieldFlags(CompleteProfileInput)

export const verbs: Verbs = {
  complete: createVerb(
    {
      summary: 'Complete or change your profile',
      fields,
      addFlags: command =>
        command
          .option('--password-stdin', 'read a new password from stdin')
          .option('--current-password-stdin', 'read the current password from the line before the new one'),
      examples: ['kiraya profile complete --first-name Asha --last-name Rao --email asha@example.com'],
      result: Profile,
    },
    async (context, _, options: PasswordOptions) => {
      const passwords = await readPasswords(context, options)
      const client = await context.client()
      const complete = (input: ProfileInput) => client.profile.complete({ ...input, ...passwords })
      const { message, user, warnings } = await submit(context, fields, options, complete)
      context.show(user)
      context.printNote(message)
      context.printWarnings(warnings)
    },
  ),
  ...storedSignInVerbs,
}

async function readPasswords({ terminal }: Context, options: PasswordOptions) {
  if (!options.passwordStdin) return {}
  const text = await terminal.readAll()
  if (!options.currentPasswordStdin) return { password: text }
  const [current_password, password] = text.split(/\r?\n/)
  return { current_password, password: password ?? '' }
}
