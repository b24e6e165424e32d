import { TranslatedError } from '../exit-codes'
import { say } from '../messages'

export function expectEqual<Value>(actual: Value, expected: Value, name: string) {
  if (actual === expected) return
  throw new TranslatedError(
    say('smoke_unexpected', { name, expected: String(expected), actual: String(actual) }),
  )
}
