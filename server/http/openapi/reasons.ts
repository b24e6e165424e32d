import { codeByReason, type ErrorReason } from '@kiraya/sdk/contract'
import type { InternalRoute } from 'elysia'
import { httpStatusByCode } from '../../errors'
import { listMissing, type RecordPath } from '../record-id'

type Security = 'bearer' | 'operator' | 'sandbox'

/** The reasons of every operation that is named `METHOD /path/:id` in this way. */
const REASONS_BY_NAME: [operations: RegExp, reasons: ErrorReason[]][] = [
  [/./, ['invalid_fields', 'value_not_storable', 'internal_error']],
  [/ \/(?!health\/live)/, ['database_unreachable']],
  [/^(POST|PUT|PATCH|DELETE) /, ['body_too_large', 'body_compressed']],
  [
    /^(POST|PUT|PATCH|DELETE) \/(?!webhooks\/|.*\/attachments$)/,
    ['content_type_not_json', 'body_not_json', 'body_not_readable', 'body_too_deep'],
  ],
  [/^POST \/auth/, ['too_many_requests']],
  [/^GET .*\/(annual|certificate|pdf|receipt|rent-proof)$/, ['document_not_made', 'documents_busy']],
]
const REASONS_BY_SECURITY: Record<Security, ErrorReason[]> = {
  bearer: ['session_ended', 'sign_in_required', 'token_expired', 'too_many_requests'],
  operator: ['page_not_found', 'ops_token_required'],
  sandbox: ['sandbox_token_required'],
}
const CHANGE: ErrorReason[] = ['idempotency_key_invalid', 'idempotency_key_reused', 'too_many_changes']

/** Groups the reasons of a route's errors by their status: those that follow from what it is, and its own. */
export function groupReasons({ method, path, hooks }: InternalRoute) {
  const { security = [], parameters = [], reasons: own = [] } = hooks.detail ?? {}
  const name = `${method} ${path}`
  const isKeyed = parameters.some((parameter: { name?: string }) => parameter.name === 'Idempotency-Key')
  const reasons: ErrorReason[] = [
    ...own,
    ...(hooks.params ? listMissing(hooks.params as RecordPath) : []),
    ...REASONS_BY_NAME.flatMap(([operations, shared]) => (operations.test(name) ? shared : [])),
    ...security.flatMap((scheme: object) => REASONS_BY_SECURITY[Object.keys(scheme)[0] as Security]),
    ...(isKeyed ? CHANGE : []),
  ]
  return Map.groupBy(new Set(reasons), (reason): number => httpStatusByCode[codeByReason[reason]])
}
