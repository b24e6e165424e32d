/** A sentence for people. */
export interface Message {
  /** The sentence. */
  message: string
}

/** The position of a page in its list. */
export interface PageMetadata {
  /** The page's number; the first is 1. */
  page: number
  /** How many items a page has at most. */
  limit: number
  /** How many items the whole list has. */
  total: number
  /** How many pages the whole list has. */
  total_pages: number
}

/** Which page of a list to return. */
export interface PageQuery<Sort extends string> {
  /** The page's number, from 1. Default 1. */
  page?: number | undefined
  /** How many items a page has at most, from 1 to 100. Default 50. */
  limit?: number | undefined
  /** The field to sort by; a leading minus sorts in descending order. */
  sort?: Sort | `-${Sort}` | undefined
}

/** What kind of error the server reports. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'BAD_REQUEST'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'REQUEST_TIMEOUT'
  | 'PAYLOAD_TOO_LARGE'
  | 'TOO_MANY_REQUESTS'
  | 'INTERNAL_SERVER_ERROR'
  | 'SERVICE_UNAVAILABLE'

/** The rules that one field of the request breaks. */
export interface FieldViolation {
  /** The path of the field, such as `property_units.0.unit_name`. */
  property: string
  /** A sentence for each rule, by the rule's name. */
  constraints: Record<string, string>
}
