/** Whether a value may be logged under the name of a field. Texts that people type never may. */
type Check<T> = (value: unknown) => value is T

const MAX_LOGGED_INTEGER = 2_147_483_647

/** Every number of ours fits a serial column; a phone number of ten digits does not. */
const isInteger = ((value: unknown) =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_LOGGED_INTEGER) as Check<number>

const isBoolean: Check<boolean> = value => typeof value === 'boolean'

const isWord = matches(/^[a-z][a-z _-]{0,60}$/i)

const isWordList: Check<string[]> = value => Array.isArray(value) && value.every(isWord)

function matches(pattern: RegExp) {
  return ((value: unknown) => typeof value === 'string' && pattern.test(value)) as Check<string>
}

function isOneOf<const T extends string>(...words: T[]) {
  return ((value: unknown) => words.includes(value as T)) as Check<T>
}

const checks = {
  request_id: matches(/^[0-9a-f-]{36}$/),
  audit: isWord,
  method: matches(/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/),
  /** The pattern of the route, never the path that a client sent. */
  route: matches(/^(none|\/[\w/:.*-]{0,200})$/),
  status: isInteger,
  ms: isInteger,
  bytes: isInteger,
  sent: isInteger,
  /** Ids of our own records. */
  id: isInteger,
  agreement: isInteger,
  webhook: isInteger,
  signature: isInteger,
  kyc_request: isInteger,
  user: isInteger,
  signer: isInteger,
  worker: isInteger,
  provider: isWord,
  channel: isWord,
  job: isWord,
  behaviour: isWord,
  ended: isWord,
  limit: isOneOf('otp_total'),
  by: isOneOf('otp', 'password'),
  fields: isWordList,
  everywhere: isBoolean,
  /** The origin of a page, as browsers write it. */
  origin: matches(/^https?:\/\/[a-z0-9.-]{1,100}(:\d{1,5})?$/),
  /** The network of a client, never its address. */
  network: matches(/^[\da-f.:]+\/(24|48)$/),
}

type Checks = typeof checks

/** The fields that a log line may have. */
export type LogFields = {
  [N in Exclude<keyof Checks, 'audit'>]?: (Checks[N] extends Check<infer T> ? T : never) | null | undefined
}

/** Drops fields that are not listed above, or whose check refuses the value; errors are serialized later. */
export function pickAllowedFields(fields: Record<string, unknown>) {
  const allowed: Record<string, unknown> = {}
  for (const name in fields) {
    const isAllowed =
      name === 'err' || (Object.hasOwn(checks, name) && checks[name as keyof Checks](fields[name]))
    if (isAllowed) allowed[name] = fields[name]
  }
  return allowed
}
