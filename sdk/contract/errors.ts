import type { Static } from '@sinclair/typebox'
import { field, stringEnum } from './common.ts'

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
