export function expectEqual<Value>(actual: Value, expected: Value, name: string) {
  if (actual === expected) return
  throw new Error(`${name}: expected ${String(expected)}, got ${String(actual)}`)
}
