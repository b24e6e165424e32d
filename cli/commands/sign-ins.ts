import type { CliCommand } from '../runtime/command'
import {
  getCurrentProfile,
  readCredentials,
  storeCredential,
  storeCurrentProfile,
} from '../runtime/credentials'
import { NOT_FOUND, UsageError } from '../runtime/errors'
import type { Terminal } from '../runtime/terminal'

const columns = ['profile', 'phone', 'url', 'current']

/** Adds the commands for the sign-ins stored on this machine. */
export function addSignInCommands(profile: CliCommand) {
  profile
    .command('list')
    .description('List the stored sign-ins, each with its server')
    .run(context => {
      const { env } = context.terminal
      const current = getCurrentProfile(env)
      // Tokens stay in their file.
      const rows = Object.entries(readCredentials(env)).map(([name, { phone, url }]) => ({
        profile: name,
        phone,
        url,
        current: name === current,
      }))
      context.show(rows, columns)
    })

  profile
    .command('use')
    .description('Use a stored sign-in for commands without --profile')
    .argument('<profile>', 'its name')
    .run((context, name: string) => {
      const { env } = context.terminal
      requireProfile(context.terminal, name)
      storeCurrentProfile(env, name)
      const current = getCurrentProfile(env)
      context.show({ profile: name, current: name === current })
      if (name !== current) context.printNote(`KIRAYA_PROFILE is set: commands go on using ${current}`)
    })

  profile
    .command('remove')
    .description('Remove a stored sign-in from this machine; its session goes on until it expires')
    .argument('<profile>', 'its name')
    .run((context, name: string) => {
      const { env } = context.terminal
      requireProfile(context.terminal, name)
      storeCredential(env, name, undefined)
      if (getCurrentProfile(env) === name) storeCurrentProfile(env, undefined)
      context.show({ profile: name, removed: true })
    })
}

function requireProfile({ env }: Terminal, name: string) {
  const names = Object.keys(readCredentials(env))
  if (names.includes(name)) return
  throw new UsageError(
    `No sign-in is stored as ${name}; ${names.length > 0 ? `there are ${names.join(', ')}` : 'there are none'}`,
    NOT_FOUND,
  )
}
