import type { CliCommand } from '../runtime/command'
import { addVerbs, type Verb, type Verbs } from '../runtime/verbs'

type Noun = {
  name: string
  description: string
  /** Imports its verbs; a command without verbs is one itself. */
  load: () => Promise<Verb | Verbs>
  isHidden?: boolean
}

const accountNouns: Noun[] = [
  {
    name: 'login',
    description: 'Sign in with a one-time password or a password',
    load: async () => (await import('./sign-in')).login,
  },
  { name: 'logout', description: 'Sign out', load: async () => (await import('./auth')).logout },
  {
    name: 'status',
    description: 'Show who is signed in and the next step',
    load: async () => (await import('./auth')).status,
  },
  { name: 'auth', description: 'Your personal data', load: async () => (await import('./auth')).verbs },
  {
    name: 'onboard',
    description: 'Sign in, complete the profile and verify the identity; asks for missing values',
    load: async () => (await import('./onboard')).onboard,
  },
  {
    name: 'profile',
    description: 'Your profile, and the sign-ins stored here',
    load: async () => (await import('./profile')).verbs,
  },
  { name: 'kyc', description: 'Your identity check', load: async () => (await import('./kyc')).verbs },
  {
    name: 'dashboard',
    description: 'Show the counts and the recent activity',
    load: async () => (await import('./dashboard')).dashboard,
  },
]

const recordNouns: Noun[] = [
  {
    name: 'property',
    description: 'Buildings, societies and plots',
    load: async () => (await import('./property')).verbs,
  },
  {
    name: 'unit',
    description: 'Rentable units of a property',
    load: async () => (await import('./unit')).verbs,
  },
  {
    name: 'tenant',
    description: 'Tenants and managers, by phone number',
    load: async () => (await import('./tenant')).verbs,
  },
  {
    name: 'agreement',
    description: 'Leases and their signing',
    load: async () => (await import('./agreement')).verbs,
  },
  {
    name: 'charge',
    description: 'What is owed: rent, deposit and other charges',
    load: async () => (await import('./charge')).verbs,
  },
  {
    name: 'payment',
    description: 'What was paid, and what it settles',
    load: async () => (await import('./payment')).verbs,
  },
  {
    name: 'deposit',
    description: 'The deposit of a lease, and its settlement',
    load: async () => (await import('./deposit')).verbs,
  },
  {
    name: 'rent-revision',
    description: 'Rents that change during a lease',
    load: async () => (await import('./rent-revision')).verbs,
  },
  {
    name: 'statement',
    description: 'What a tenant owes and paid, also as a PDF',
    load: async () => (await import('./statement')).verbs,
  },
  {
    name: 'books',
    description: 'The books of all your leases together',
    load: async () => (await import('./books')).verbs,
  },
]

const toolNouns: Noun[] = [
  {
    name: 'wait',
    description: 'Wait until a record is in a state',
    load: async () => (await import('./wait')).verbs,
  },
  {
    name: 'open',
    description: 'Open a page in the browser; prints its address',
    load: async () => (await import('./open')).verbs,
  },
  {
    name: 'api',
    description: 'Send any request as the signed-in user, and print the response',
    load: async () => (await import('./api')).api,
  },
  {
    name: 'doctor',
    description: 'Check the server, the clock, the sign-in, its file, the runtime and the environment',
    load: async () => (await import('./doctor')).doctor,
  },
  {
    name: 'smoke',
    description: 'Test a server from sign-in to the refund of the deposit, and remove what the test made',
    load: async () => (await import('./smoke')).smoke,
  },
  {
    name: 'seed',
    description: 'Create Indian demo data through the API; running it again completes what is missing',
    load: async () => (await import('./seed')).seed,
  },
  {
    name: 'import',
    description:
      'Create records from a CSV file, or with --dry-run only check it; a repetition completes what is missing',
    load: async () => (await import('./import')).verbs,
  },
  {
    name: 'export',
    description: 'Write records to a CSV file',
    load: async () => (await import('./export')).verbs,
  },
]

const operatorNouns: Noun[] = [
  {
    name: 'ops',
    description: "Webhooks, jobs and invitations, for operators; KIRAYA_OPS_TOKEN is the server's OPS_TOKEN",
    load: async () => (await import('./operations')).verbs,
  },
  {
    name: 'sandbox',
    description: "The simulated providers; KIRAYA_SANDBOX_TOKEN is the server's SANDBOX_TOKEN, if it has one",
    load: async () => (await import('./sandbox')).sandbox,
  },
  {
    name: 'completion',
    description: 'Print the script with which a shell completes commands, flags and words',
    load: async () => (await import('./completion')).completion,
  },
  {
    name: 'complete',
    description: 'What the script of a shell calls',
    load: async () => (await import('./completion')).complete,
    isHidden: true,
  },
]

const nouns = [...accountNouns, ...recordNouns, ...toolNouns, ...operatorNouns]

/**
 * Adds the commands. What a noun imports, its part of the contract too, would slow down the others, so it is imported
 * if one of the words names it, or if there is no command line.
 */
export async function addNouns(program: CliCommand, words?: string[]) {
  for (const { name, description, isHidden = false, load } of nouns) {
    const noun = program.command(name, { hidden: isHidden }).description(description)
    if (words && !words.includes(name)) continue
    const added = await load()
    if (typeof added === 'function') added(noun)
    else addVerbs(noun, added)
  }
}
