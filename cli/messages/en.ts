import { enBooks } from './en-books'
import { enData } from './en-data'

type Message = string | ((params: never) => string)

/** What an event of an agreement is told with. `reason` begins with its colon, or is empty. */
type EventWords = { actor: string; signer: string; fields: string; reason: string }

const list = (items: readonly string[]) => items.join(', ')

/** What the command says itself. Names of commands, flags, settings and states are the same in every language. */
export const en = {
  // What to do after a failure
  advice_correct: 'Correct the input and try again',
  advice_find_id: 'Find the id with the list command',
  advice_invitations: 'Find its number with: {command} ops invitations',
  advice_is_running: 'Is the server running? Set its address with --url or KIRAYA_URL',
  advice_later: 'Try again later',
  advice_no_ops_token: 'The server has no OPS_TOKEN, without which it offers no operations: set it there',
  advice_no_profile: ({ name }: { name: string }) =>
    `No sign-in is stored as ${name}; "profile list" shows those that are. Sign in: {command} login --phone <number>`,
  advice_ops_token: "KIRAYA_OPS_TOKEN is not the server's OPS_TOKEN: correct it",
  advice_path: 'Check the address in --url; a server without the sandbox does not have its paths',
  advice_report: 'Report the request id to the operator',
  advice_sandbox_otp: "--otp must be the server's SANDBOX_OTP",
  advice_sandbox_state: 'Find it with: {command} sandbox state',
  advice_sandbox_token: "Set KIRAYA_SANDBOX_TOKEN to the server's SANDBOX_TOKEN",
  advice_shorten: 'Shorten the texts, or send fewer of them at once',
  advice_sign_in: 'Sign in: {command} login --phone <number>',
  advice_signatures: 'See who has signed: {command} agreement signatures <agreement>',
  advice_slow: 'Try again: the connection is too slow',
  advice_timeout: 'Try again, or check the address in --url or KIRAYA_URL',
  advice_webhooks: 'Find its number with: {command} ops webhooks',
  advice_wait: ({ seconds }: { seconds: number }) => `Wait ${seconds} seconds`,
  connection_refused: 'the connection was refused',
  connection_lost: 'the connection failed or was lost',
  host_unknown: 'the host is unknown',
  not_http: 'what answers there does not speak this protocol, http or https',
  unreachable: ({ url, cause }: { url: string; cause: string }) => `${url} is unreachable: ${cause}`,
  connection_failed: 'The server is unreachable or the connection was lost',
  timed_out: 'The request timed out',

  // How a command is used
  cancelled: 'Cancelled: nothing has changed',
  confirmation_missing: ({ action }: { action: string }) =>
    `--yes is required in non-interactive mode: ${action}`,
  file_missing: ({ file }: { file: string }) => `There is no file or folder ${file}`,
  file_is_folder: ({ file }: { file: string }) => `${file} is a folder, not a file`,
  file_refused: ({ file }: { file: string }) => `You may not read or write ${file}`,
  file_unreadable: ({ file }: { file: string }) => `Cannot read ${file}. Correct the file or delete it`,
  flags_missing: ({ flags }: { flags: string[] }) =>
    `${list(flags)} ${flags.length > 1 ? 'are' : 'is'} required`,
  flags_missing_without_terminal: ({ flags }: { flags: string[] }) =>
    `${list(flags)} ${flags.length > 1 ? 'are' : 'is'} required in non-interactive mode`,
  json_field_unknown: ({ field, fields }: { field: string; fields: string[] }) =>
    `--json: there is no field ${field}, but ${list(fields)}`,
  ops_token_missing: "Set KIRAYA_OPS_TOKEN to the server's OPS_TOKEN",
  pair_invalid: ({ flag, separator, text }: { flag: string; separator: string; text: string }) =>
    `${flag} must be a name, "${separator}" and a value; it is ${text}`,
  paginate_without_list: '--paginate needs the path of a list',
  profile_overridden: ({ current }: { current: string }) =>
    `KIRAYA_PROFILE is set: commands go on using ${current}`,
  query_invalid: ({ reason }: { reason: string }) => `--query is not a valid JMESPath expression: ${reason}`,
  sign_in_unknown: ({ name, names }: { name: string; names: string[] }) =>
    `No sign-in is stored as ${name}; ${names.length > 0 ? `there are ${list(names)}` : 'there are none'}`,
  url_invalid: ({ url }: { url: string }) => `--url must start with http:// or https://; it is ${url}`,

  // Values of fields
  field_wrong: ({ flag, mistake, text }: { flag: string; mistake: string; text: string }) =>
    `${flag} ${mistake}; it is ${text}`,
  must_be_boolean: 'must be true or false',
  must_be_choice: ({ choices }: { choices: readonly string[] }) => `must be one of ${list(choices)}`,
  must_be_integer: 'must be a whole number',
  must_be_number: 'must be a number',
  required: 'Required',

  // Names of records
  agreement: 'agreement',
  person: 'person',
  property: 'property',
  unit: 'unit',
  did_you_mean: ({ candidates }: { candidates: string }) => `Did you mean ${candidates}?`,
  have_none: 'You have none.',
  name_ambiguous: ({ noun, name, candidates }: { noun: string; name: string; candidates: string }) =>
    `Several match the ${noun} "${name}": ${candidates}. Give the id of one`,
  name_unknown: ({ noun, name, advice }: { noun: string; name: string; advice: string }) =>
    `There is no ${noun} "${name}". ${advice}`,
  nameless: 'without a name',
  person_unknown: ({ advice }: { advice: string }) =>
    `${advice} A new person is added with: tenant create --phone <number>`,
  signature_unknown: ({ signer }: { signer: string }) => `${signer} has no signature in this agreement`,
  unit_unnamed: ({ text }: { text: string }) =>
    `"${text}" names no unit. Give its id, or property and name, as "White House/A-101"`,
  user: ({ id }: { id: number }) => `user ${id}`,

  // Questions
  ask_several: ({ label }: { label: string }) => `${label} (commas between several)`,
  cancel_signature: ({ name }: { name: string }) => `Cancel the signature of ${name}`,
  close_agreement: ({ name }: { name: string }) => `Close the agreement ${name}, for good`,
  delete_draft: ({ name }: { name: string }) => `Delete the draft ${name}`,
  delete_property: ({ name }: { name: string }) => `Delete the property ${name} and your units in it`,
  delete_unit: ({ name }: { name: string }) => `Delete the unit ${name}`,
  erase_account: ({ phone }: { phone: string }) => `Erase ${phone} and all data stored about you, for good`,
  press_enter: 'Press Enter when you are done.',
  resign_unit: ({ name }: { name: string }) => `Resign as the manager of the unit ${name}`,
  revise_agreement: ({ name }: { name: string }) =>
    `Terminate the agreement ${name} and replace it by a new draft`,
  terminate_agreement: ({ name }: { name: string }) => `Terminate the agreement ${name}, for good`,

  // Remarks
  agreement_past: ({ status, awaited }: { status: string; awaited: string }) =>
    `The agreement is ${status} and cannot become ${awaited} any more`,
  agreement_unsigned: ({ signer, status, id }: { signer: string; status: string; id: string }) =>
    `The signature of ${signer} is ${status}: start it again with kiraya agreement sign ${id} --signer <person>`,
  agreement_still: ({ status }: { status: string }) => `The agreement is still ${status}`,
  all_signed: 'All parties have signed',
  continue_with: ({ command }: { command: string }) => `Your input is kept. Continue with:\n  ${command}`,
  events_changed: 'EVENTS WERE CHANGED OR REMOVED',
  events_unchanged: 'Every event is unchanged',
  fault_rules: 'Fault rules',
  file_written: ({ file }: { file: string }) => `Written to ${file}`,
  fully_set_up: ({ command }: { command: string }) => `You are fully set up: ${command}`,
  identity_verified: 'Your identity is verified',
  kyc_started: ({ message, next }: { message: string; next: string }) => `${message}. ${next}`,
  next: ({ command }: { command: string }) => `Next: ${command}`,
  no_response: 'no response',
  none: 'None',
  no: 'no',
  not_all_signed: 'Not all parties have signed yet',
  open_checks: 'Open identity checks',
  open_signatures: 'Open signing requests',
  otp_placeholder: '<the one-time password>',
  page_of: ({ page, pages, total }: { page: number; pages: number; total: number }) =>
    `Page ${page} of ${pages} (${total} items); use --page for another`,
  profile_completed: 'Your profile is complete',
  progress: ({ text, seconds }: { text: string; seconds: number }) => `${text} (${seconds} s)`,
  sign_at: ({ url }: { url: string }) => `Sign at ${url}`,
  signed_in: ({ next }: { next: string }) => `Signed in. ${next}`,
  verify_at: ({ url }: { url: string }) => `Verify your identity at ${url}`,
  waiting_for_server: 'Waiting for the server',
  waiting_for_status: ({ status }: { status: string }) => `Waiting for ${status}`,
  yes: 'yes',

  // What doctor finds
  doctor_any_certificate: 'NODE_TLS_REJECT_UNAUTHORIZED=0 accepts any certificate',
  doctor_clock: ({ seconds }: { seconds: number }) => `${seconds} s between this machine and the server`,
  doctor_clock_unknown: 'the server does not tell its time',
  doctor_clock_wrong: ({ seconds }: { seconds: number }) =>
    `${seconds} s between this machine and the server; set the clock`,
  doctor_failed: ({ checks }: { checks: string[] }) => `Failed: ${list(checks)}`,
  doctor_file_missing: ({ file }: { file: string }) => `${file} does not exist yet`,
  doctor_file_open: ({ file }: { file: string }) => `others can read ${file}: chmod 600 ${file}`,
  doctor_file_private: ({ file }: { file: string }) => `${file}, readable by you alone`,
  doctor_node_old: ({ version, minimum }: { version: string; minimum: string }) =>
    `Node ${version}; kiraya needs ${minimum} or later`,
  doctor_not_ready: ({ url, status }: { url: string; status: number }) =>
    `${url} responds with ${status}; it is not ready`,
  doctor_ready: ({ url, ms }: { url: string; ms: number }) => `${url} is ready, ${ms} ms`,
  doctor_settings: ({ names }: { names: string[] }) => `set: ${list(names)}`,
  doctor_settings_none: 'nothing is set',
  doctor_signed_out: ({ url, command }: { url: string; command: string }) => `none for ${url}: ${command}`,
  doctor_unreachable: ({ url }: { url: string }) =>
    `${url} is unreachable; set its address with --url or KIRAYA_URL`,
  doctor_version_unknown: ({ version }: { version: string }) =>
    `kiraya ${version}; the server does not describe its API`,

  // Events of an agreement
  event_deposit_proposed: ({ actor }: EventWords) => `${actor} proposed how to settle the deposit`,
  event_deposit_accepted: ({ actor }: EventWords) => `${actor} accepted the settlement of the deposit`,
  event_deposit_disputed: ({ actor, reason }: EventWords) =>
    `${actor} disputed the settlement of the deposit${reason}`,
  event_deposit_settled: ({ actor }: EventWords) => `${actor} settled the deposit`,
  event_rent_proposed: ({ actor }: EventWords) => `${actor} proposed a new rent`,
  event_rent_accepted: ({ actor }: EventWords) => `${actor} accepted the new rent`,
  event_rent_declined: ({ actor }: EventWords) => `${actor} declined the new rent`,
  event_rent_withdrawn: ({ actor }: EventWords) => `${actor} withdrew the proposed rent`,
  event_renewal_drafted: ({ actor }: EventWords) => `${actor} drew up the next term`,
  event_activated: () => 'the agreement became active',
  event_address_changed: () => 'another landlord changed the address of the building',
  event_cancelled: ({ actor, signer }: EventWords) => `${actor} cancelled the request to ${signer}`,
  event_changed: ({ actor, fields }: EventWords) => `${actor} changed ${fields || 'the draft'}`,
  event_completed: ({ actor }: EventWords) => `${actor} closed the agreement`,
  event_created: ({ actor }: EventWords) => `${actor} created the draft`,
  event_declined: ({ signer, reason }: EventWords) => `${signer} declined to sign${reason}`,
  event_deleted: ({ actor }: EventWords) => `${actor} deleted the draft`,
  event_document_stored: () => 'the signed document was stored',
  event_ended: () => 'the agreement ended with its tenure',
  event_expired: ({ signer }: EventWords) => `the request to ${signer} expired`,
  event_recorded: () => 'the state of the agreement was recorded',
  event_reissued: ({ actor, signer }: EventWords) => `${actor} asked ${signer} again to sign`,
  event_reminded: ({ signer }: EventWords) => `${signer} was reminded to sign`,
  event_renewed: () => 'the agreement was renewed by its tenure',
  event_revised: ({ actor }: EventWords) => `${actor} replaced the agreement by a new draft`,
  event_sent: ({ actor, signer }: EventWords) =>
    actor === signer ? `${actor} began to sign` : `${actor} asked ${signer} to sign`,
  event_signed: ({ signer }: EventWords) => `${signer} signed`,
  event_terminated: ({ actor, reason }: EventWords) => `${actor} terminated the agreement${reason}`,
  event_viewed: ({ signer }: EventWords) => `${signer} opened the document`,
  unknown_event: ({ type }: { type: string }) => `an event that this version does not know: ${type}`,
  ...enBooks,
  ...enData,
} satisfies Record<string, Message>
