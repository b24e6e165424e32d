import { Profile } from '@kiraya/sdk/contract/auth'
import { StartKycResponse } from '@kiraya/sdk/contract/profile'
import { createVerb, type Verbs } from '../runtime/verbs'

export const verbs: Verbs = {
  start: createVerb(
    { summary: 'Start the identity check, or show the open one', result: StartKycResponse },
    async context => {
      const { profile } = await context.client()
      const check = await profile.startKyc()
      context.show(check)
      context.printNote(`${check.message}. Next: ${context.toCommandLine('kyc complete')}`)
    },
  ),
  complete: command =>
    command
      .description('Finish the identity check')
      .argument('[verification-id]', 'default: the open check')
      .addResult(Object.keys(Profile.properties))
      .run(async (context, givenId: string | undefined) => {
        const { profile } = await context.client()
        const verificationId = givenId ?? (await profile.startKyc()).verification_id
        const { message, user } = await profile.completeKyc(verificationId)
        context.show(user)
        context.printNote(message)
      }),
}
