import type { Kiraya } from '@kiraya/sdk'
import type { CliCommand } from '../runtime/command'
import { profileResultFields, startedKycFields } from '../output/result-fields'

export function addKycCommands(program: CliCommand) {
  const kyc = program.command('kyc').description('Your identity check')

  kyc
    .command('start')
    .description('Start the identity check, or show the open one')
    .addResult(startedKycFields)
    .run(async context => {
      const client = await context.client()
      const check = await client.profile.startKyc()
      context.show(check)
      const next = `Next: ${context.toCommandLine('kyc complete')}`
      context.printNote(`${check.message}. ${next}`)
    })

  kyc
    .command('complete')
    .description('Finish the identity check')
    .argument('[verification-id]', 'default: the open check')
    .addResult(profileResultFields)
    .run(async (context, givenId: string | undefined) => {
      const client = await context.client()
      const verificationId = givenId ?? (await getOpenCheckId(client))
      const { message, user } = await client.profile.completeKyc(verificationId)
      context.show(user)
      context.printNote(message)
    })
}

async function getOpenCheckId(client: Kiraya) {
  const { verification_id } = await client.profile.startKyc()
  return verification_id
}
