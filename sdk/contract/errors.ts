import { Type, type Static } from '@sinclair/typebox'
import { described, field, stringEnum } from './common.ts'

export const ErrorCode = field(
  stringEnum(
    'VALIDATION_ERROR',
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'NOT_FOUND',
    'REQUEST_TIMEOUT',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'TOO_MANY_REQUESTS',
    'INTERNAL_SERVER_ERROR',
    'SERVICE_UNAVAILABLE',
  ),
  'What kind of error the server reports.',
)
export type ErrorCode = Static<typeof ErrorCode>

export const FieldViolation = described('The rules that one field of the request breaks.', {
  property: field(Type.String(), 'The path of the field, such as `property_units.0.unit_name`'),
  constraints: field(
    Type.Record(Type.String(), Type.String()),
    "A sentence for each rule, by the rule's name",
  ),
})
export type FieldViolation = Static<typeof FieldViolation>
