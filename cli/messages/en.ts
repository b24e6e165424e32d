import { enData } from './en-data'

type Message = string | ((params: never) => string)

const list = (items: readonly string[]) => items.join(', ')

/** What the command says itself. Names of commands, flags, settings and fields are the same in every language. */
export const en = {
  // What to do after a failure
  advice_correct: 'Correct the input and try again',
  advice_find_id: 'Find the id with the list command',
  advice_is_running: 'Is the server running? Set its address with --url or KIRAYA_URL',
  advice_later: 'Try again later',
  advice_report: 'Report the request id to the operator',
  advice_shorten: 'Shorten the texts, or send fewer of them at once',
  advice_sign_in: 'Sign in: kiraya login --phone <number>',
  advice_slow: 'Try again: the connection is too slow',
  advice_timeout: 'Try again, or check the address in --url or KIRAYA_URL',
  advice_wait: ({ seconds }: { seconds: number }) => `Wait ${seconds} seconds`,
  connection_failed: 'The server is unreachable or the connection was lost',
  timed_out: 'The request timed out',

  // How a command is used
  cancelled: 'Cancelled: nothing has changed',
  confirmation_missing: ({ action }: { action: string }) =>
    `--yes is required in non-interactive mode: ${action}`,
  flags_missing: ({ flags }: { flags: string[] }) =>
    `${list(flags)} ${flags.length > 1 ? 'are' : 'is'} required`,
  flags_missing_without_terminal: ({ flags }: { flags: string[] }) =>
    `${list(flags)} ${flags.length > 1 ? 'are' : 'is'} required in non-interactive mode`,
  ops_token_missing: "Set KIRAYA_OPS_TOKEN to the server's OPS_TOKEN",
  role_invalid: '--role must be tenant or manager',
  url_invalid: ({ url }: { url: string }) => `--url must start with http:// or https://; it is ${url}`,

  // Questions
  ask_email: 'E-mail',
  ask_first_name: 'First name',
  ask_last_name: 'Last name',
  ask_otp: 'One-time password',
  ask_phone: 'Mobile number',
  delete_draft: ({ id }: { id: string }) => `Delete the draft ${id}`,
  delete_property: ({ id }: { id: string }) => `Delete the property ${id} and your units in it`,
  delete_unit: ({ id }: { id: string }) => `Delete the unit ${id}`,
  erase_account: ({ phone }: { phone: string }) => `Erase ${phone} and all data stored about you, for good`,
  press_enter: 'Press Enter when you are done.',

  // Remarks
  all_signed: 'All parties have signed',
  events_changed: 'EVENTS WERE CHANGED OR REMOVED',
  events_unchanged: 'Every event is unchanged',
  file_written: ({ file }: { file: string }) => `Written to ${file}`,
  identity_verified: 'Your identity is verified',
  next_dashboard: 'You are fully set up: kiraya dashboard',
  next_erase: 'Next: kiraya auth erase --yes --otp <the one-time password>',
  next_kyc_complete: 'Next: kiraya kyc complete',
  next_kyc_start: 'Next: kiraya kyc start',
  next_login: ({ phone }: { phone: string }) =>
    `Next: kiraya login --phone ${phone} --otp <the one-time password>`,
  next_profile: 'Next: kiraya profile complete --first-name … --last-name … --email …',
  none: 'None',
  not_all_signed: 'Not all parties have signed yet',
  page_of: ({ page, pages, total }: { page: number; pages: number; total: number }) =>
    `Page ${page} of ${pages} (${total} items); use --page for another`,
  profile_completed: 'Your profile is complete',
  sign_at: ({ url }: { url: string }) => `Sign at ${url}`,
  signed_in: 'Signed in.',
  verify_at: ({ url }: { url: string }) => `Verify your identity at ${url}`,
  ...enData,
} satisfies Record<string, Message>
