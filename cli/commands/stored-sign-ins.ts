import type { CliCommand } from '../runtime/command'
import {
  getCurrentProfile,
  readCredentials,
  storeCredential,
  storeCurrentProfile,
} from '../runtime/credentials'
import { NOT_FOUND, UsageError } from '../runtime/errors'
import type { Terminal } from '../runtime/terminal'
import { createVerb, type Verbs } from '../runtime/verbs'

type Environment = Terminal['env']

/** The verbs for the sign-ins stored on this machine. Tokens stay in their file. */
export const storedSignInVerbs: Verbs = {
  list: createVerb(
    { summary: 'List the stored sign-ins, each with its server' },
    async ({ terminal: { env }, show }) => {
      const current = getCurrentProfile(env)
      const credentials = Object.entries(readCredentials(env))
      const rows = credentials.map(([profile, { phone, url }]) => ({
        profile,
        phone,
        url,
        current: profile === current,
      }))
      show(rows, ['profile', 'phone', 'url', 'current'])
    },
  ),
  use: command =>
    addProfileArgument(command, 'Use a stored sign-in for commands without --profile').run(
      ({ terminal: { env }, show, printNote }, profile: string) => {
        requireProfile(env, profile)
        storeCurrentProfile(env, profile)
        const current = getCurrentProfile(env)
        show({ profile, current: profile === current })
        if (profile !== current) printNote(`KIRAYA_PROFILE is set: commands go on using ${current}`)
      },
    ),
  remove: command =>
    addProfileArgument(
      command,
      'Remove a stored sign-in from this machine; its session goes on until it expires',
    ).run(({ terminal: { env }, show }, profile: string) => {
      requireProfile(env, profile)
      storeCredential(env, profile, undefined)
      if (getCurrentProfile(env) === profile) storeCurrentProfile(env, undefined)
      show({ profile, removed: true })
    }),
}

const addProfileArgument = (command: CliCommand, summary: string) =>
  command.description(summary).argument('<profile>', 'its name')

function requireProfile(env: Environment, profile: string) {
  const profiles = Object.keys(readCredentials(env))
  if (profiles.includes(profile)) return
  const stored = profiles.length > 0 ? `there are ${profiles.join(', ')}` : 'there are none'
  throw new UsageError(`No sign-in is stored as ${profile}; ${stored}`, NOT_FOUND)
}
