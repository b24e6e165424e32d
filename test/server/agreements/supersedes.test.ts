import { expect, test } from 'bun:test'
import { supersedes } from '../../../server/agreements/states'

// Each status prevails over those before it, in whatever order they are reported.
const ORDER = ['PENDING', 'EXPIRED', 'DECLINED', 'SIGNED'] as const

test.each(ORDER.flatMap((reported, rank) => ORDER.map((known, of) => [reported, known, rank > of] as const)))(
  '%s prevails over %s: %p',
  (reported, known, prevails) => expect(supersedes(reported, known)).toBe(prevails),
)
