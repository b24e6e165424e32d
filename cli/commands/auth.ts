import { Message } from '@kiraya/sdk/contract/common'
import { savePrivateFile } from '../output/files'
import type { Context } from '../runtime/context'
import { createVerb, type Verbs } from '../runtime/verbs'
import { otpFields, printCommandWithOtp, submitOtp, toNextStepAdvice } from './sign-in'

export const logout = createVerb(
  {
    addFlags: command => command.option('--all', 'end all of your sessions'),
    result: Message,
  },
  async (context, _, { all }: { all?: boolean }) => {
    const client = await context.client()
    context.show(await client.auth.logout({ all }))
    context.removeCredential()
  },
)

export const status = createVerb({}, async context => {
  const client = await context.client()
  const { user, status } = await client.auth.me()
  context.show({ ...user, status })
  context.printNote(toNextStepAdvice(context, status))
})

export const verbs: Verbs = {
  export: createVerb(
    {
      summary: 'Export all data stored about you, as JSON',
      addFlags: command => command.option('--file <path>', 'write to this file instead of stdout'),
    },
    async (context, _, { file }: { file?: string }) => {
      const client = await context.client()
      const data = await client.auth.exportMyData()
      if (!file) return context.showJson(data)
      await savePrivateFile(context, file, `${JSON.stringify(data, null, 2)}\n`)
    },
  ),
  erase: createVerb(
    {
      summary: 'Erase you and your data for good; signed agreements stay as evidence',
      fields: otpFields,
      addFlags: command => command.addConfirmFlag(),
      result: Message,
    },
    eraseMyData,
  ),
}

/** Without a one-time password, sends one to the user's number first. */
async function eraseMyData(context: Context, _: unknown, options: { otp?: string; yes?: boolean }) {
  const client = await context.client()
  const { user } = await client.auth.me()
  await context.confirm(`Erase ${user.phone} and all data stored about you, for good`, options.yes)

  if (!options.otp) {
    const { message } = await client.auth.sendOtp(user.phone)
    context.printNote(message)
    if (!context.terminal.isInteractive) return printCommandWithOtp(context, 'auth erase --yes')
  }
  context.show(await submitOtp(context, options, ({ otp }) => client.auth.eraseMyData(otp)))
  context.removeCredential()
}
