import type { CliCommand } from '../runtime/command'
import { addVerbs, type Verb, type Verbs } from '../runtime/verbs'

/** A noun with its verbs, or a command without verbs. */
type Noun = [description: string, load: () => Promise<{ verbs: Verbs } | { verb: Verb }>]

/** The scripts of shells call it, not people. */
const COMPLETE = 'complete'

const nouns: Record<string, Noun> = {
  login: ['Sign in with a one-time password or a password', () => import('./sign-in')],
  logout: ['Sign out', async () => ({ verb: (await import('./auth')).logout })],
  status: [
    'Show who is signed in and the next step',
    async () => ({ verb: (await import('./auth')).status }),
  ],
  auth: ['Your personal data', () => import('./auth')],
  onboard: [
    'Sign in, complete the profile and verify the identity; asks for missing values',
    () => import('./onboard'),
  ],
  profile: ['Your profile, and the sign-ins stored here', () => import('./profile')],
  kyc: ['Your identity check', () => import('./kyc')],
  dashboard: ['Show the counts and the recent activity', () => import('./dashboard')],
  property: ['Buildings, societies and plots', () => import('./property')],
  unit: ['Rentable units of a property', () => import('./unit')],
  tenant: ['Tenants and managers, by phone number', () => import('./tenant')],
  agreement: ['Leases and their signing', () => import('./agreement')],
  charge: ['What is owed: rent, deposit and other charges', () => import('./charge')],
  payment: ['What was paid, and what it settles', () => import('./payment')],
  deposit: ['The deposit of a lease, and its settlement', () => import('./deposit')],
  'rent-revision': ['Rents that change during a lease', () => import('./rent-revision')],
  statement: ['What a tenant owes and paid, also as a PDF', () => import('./statement')],
  maintenance: ['What is to be repaired, and who does it', () => import('./maintenance')],
  books: ['The books of all your leases together', () => import('./books')],
  wait: ['Wait until a record is in a state', () => import('./wait')],
  open: ['Open a page in the browser; prints its address', () => import('./open')],
  api: ['Send any request as the signed-in user, and print the response', () => import('./api')],
  doctor: [
    'Check the server, the clock, the sign-in, its file, the runtime and the environment',
    () => import('./doctor'),
  ],
  smoke: [
    'Test a server from sign-in to the refund of the deposit, and remove what the test made',
    () => import('./smoke'),
  ],
  seed: [
    'Create Indian demo data through the API; running it again completes what is missing',
    () => import('./seed'),
  ],
  import: [
    'Create records from a spreadsheet, or with --dry-run only check it; a repetition creates nothing twice',
    () => import('./import'),
  ],
  export: ['Write records to a CSV file', () => import('./export')],
  ops: [
    "Webhooks, jobs and invitations, for operators; KIRAYA_OPS_TOKEN is the server's OPS_TOKEN",
    () => import('./operations'),
  ],
  sandbox: [
    "The simulated providers; KIRAYA_SANDBOX_TOKEN is the server's SANDBOX_TOKEN, if it has one",
    () => import('./sandbox'),
  ],
  completion: [
    'Print the script with which a shell completes commands, flags and words',
    () => import('./completion'),
  ],
  [COMPLETE]: [
    'List the completions of a command line',
    async () => ({ verb: (await import('./completion')).complete }),
  ],
}

/**
 * Adds the commands. What a noun imports, its part of the contract too, would slow down the others, so it is imported
 * if one of the words names it, or if there is no command line.
 */
export async function addNouns(program: CliCommand, words?: string[]) {
  for (const [name, [description, load]] of Object.entries(nouns)) {
    const noun = program.command(name, { hidden: name === COMPLETE }).description(description)
    if (words && !words.includes(name)) continue
    const added = await load()
    if ('verb' in added) added.verb(noun)
    else addVerbs(noun, added.verbs)
  }
}
