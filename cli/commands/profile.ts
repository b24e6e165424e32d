import type { CompleteProfileInput } from '@kiraya/sdk'
import type { CliCommand } from '../command'
import { toRequestBody, type FieldFlags } from '../field-flags'

/** The password comes from stdin, because other processes can read flags. */
type ProfileInput = Omit<CompleteProfileInput, 'password'>

const profileFields: FieldFlags<ProfileInput> = {
  first_name: { kind: 'text', isRequired: true },
  last_name: { kind: 'text', isRequired: true },
  email: { kind: 'text', isRequired: true },
}

export function addProfileCommands(program: CliCommand) {
  const profile = program.command('profile').description('Your profile')

  profile
    .command('complete')
    .description('Complete or change your profile')
    .addFieldFlags(profileFields)
    .option('--password-stdin', 'read a new password from stdin')
    .run(async (context, options: { passwordStdin?: boolean }) => {
      const input = toRequestBody<ProfileInput>(profileFields, options)
      const password = options.passwordStdin ? await context.terminal.readAll() : undefined
      const client = await context.client()
      const { message, user } = await client.profile.complete({ ...input, password })
      context.show(user)
      context.printNote(message)
    })
}
