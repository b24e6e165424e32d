import {
  codeByReason,
  type ErrorCode,
  type ErrorReason,
  type FieldRule,
  type FieldViolation,
  type Language,
} from '@kiraya/sdk/contract'
import {
  getWords,
  toLabel,
  toWords,
  withoutName,
  wholeRequest,
  type NamedReason,
  type ParamsOf,
  type Words,
} from './messages'
import { LoggableError } from './observability/safe-errors'

/** The domain's errors and the HTTP status that each of them has. */
export const httpStatusByCode = {
  VALIDATION_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>

/** A limit that all clients share: reaching it is an operator's concern. */
export type ServiceLimit = 'otp_total'

/** A rule that a field breaks; the words complete a sentence that begins with the field's name. */
export type BrokenRule = Pick<FieldViolation, 'property' | 'rule' | 'params'> & { words: Words }

type ApiErrorOptions = {
  details?: unknown
  /** Takes the place of `details`, in the language of the client. */
  brokenRules?: BrokenRule[]
  retryAfterS?: number
  cause?: unknown
  serviceLimit?: ServiceLimit
}

const RETRY_AFTER_S = 5

/** An error that a client receives; `cause` is for the log alone. `message` is English, as the log is. */
export class ApiError extends LoggableError {
  readonly code: ErrorCode
  readonly status: number
  readonly details: unknown
  readonly brokenRules: BrokenRule[] | undefined
  readonly retryAfterS: number | undefined
  readonly serviceLimit: ServiceLimit | undefined

  constructor(
    readonly reason: ErrorReason,
    readonly words: Words,
    { details, brokenRules, retryAfterS, cause, serviceLimit }: ApiErrorOptions = {},
  ) {
    super(getWords(words, 'en'), { cause })
    this.code = codeByReason[reason]
    this.status = httpStatusByCode[this.code]
    this.details = details
    this.brokenRules = brokenRules
    this.retryAfterS = retryAfterS ?? (this.status === 503 ? RETRY_AFTER_S : undefined)
    this.serviceLimit = serviceLimit
  }
}

type ReasonWith<C extends ErrorCode> = {
  [R in NamedReason]: (typeof codeByReason)[R] extends C ? R : never
}[NamedReason]
type FieldReason = ReasonWith<'VALIDATION_ERROR'> & FieldRule
type OtherReason = Exclude<NamedReason, FieldReason>

/** What is said of a record that does not exist, or that the caller may not see. */
export type NotFoundReason = ReasonWith<'NOT_FOUND'>

/** The arguments that a reason takes: parameters only if its sentence has some. */
type Given<R extends NamedReason, Options> =
  ParamsOf<R> extends undefined
    ? [params?: Record<string, never>, options?: Options]
    : [params: ParamsOf<R>, options?: Options]

/** Returns the error of a reason, to be thrown; its sentence is in `messages`. */
export function refuse<R extends OtherReason>(reason: R, ...[params, options]: Given<R, ApiErrorOptions>) {
  return new ApiError(reason, toWords(reason, params as ParamsOf<R>), options)
}

/** Returns the error of fields that break a rule, to be thrown; the rule is in `messages`. */
export function refuseFields<R extends FieldReason>(
  reason: R,
  fields: string | string[],
  ...[params]: Given<R, never>
) {
  const words = toWords(reason, params as ParamsOf<R>)
  const rule = { rule: reason, params: { ...(params as BrokenRule['params']) }, words }
  return refuseRules(
    reason,
    [fields].flat().map(property => ({ property, ...rule })),
  )
}

/** Returns the error of these broken rules. */
export function refuseRules(reason: ErrorReason, brokenRules: BrokenRule[]) {
  const join = (language: Language) => toSentences(brokenRules, language).join('; ')
  return new ApiError(reason, [join('en'), join('hi')], { brokenRules })
}

/** Each sentence begins with the name of its field, or with the request as a whole. */
export function toSentences(brokenRules: BrokenRule[], language: Language) {
  return brokenRules.map(rule => toSentence(rule, language))
}

function toSentence({ property, words }: BrokenRule, language: Language) {
  return `${property || getWords(wholeRequest, language)} ${getWords(words, language)}`
}

/** An error as clients receive it, but for those of Variant A. */
export const toErrorEnvelope = (error: ApiError, language: Language) => ({
  success: false,
  data: null,
  error: {
    code: error.code,
    reason: error.reason,
    message: getWords(error.words, language),
    details: error.brokenRules ? toViolations(error.brokenRules, language) : error.details,
  },
})

function toViolations(brokenRules: BrokenRule[], language: Language): FieldViolation[] {
  const byProperty = Map.groupBy(brokenRules, ({ property }) => property)
  return [...byProperty].map(([property, broken]) => {
    const constraints = broken.map(({ rule, words }) => [rule, getWords(withoutName(words), language)])
    const [{ rule, params }] = broken as [BrokenRule]
    const label = getWords(toLabel(property), language)
    return { property: property || 'body', constraints: Object.fromEntries(constraints), rule, params, label }
  })
}
