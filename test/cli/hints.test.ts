import { expect, test } from 'bun:test'
import { getCommandName, quote } from '../../cli/hints'

test.each([
  [{}, 'kiraya'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'npx' }, 'npx kiraya'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'bunx' }, 'bunx kiraya'],
  // A script of a package that is called so.
  [{ npm_command: 'run-script', npm_lifecycle_event: 'npx' }, 'kiraya'],
  [{ npm_command: 'exec', npm_lifecycle_event: 'test' }, 'kiraya'],
])('in the environment %j hints begin with %s', (env, name) => {
  expect(getCommandName(env)).toBe(name)
})

test('hints name the profile and the server that were given', () => {
  const globals = { profile: 'my home', url: 'http://localhost:3000' }
  expect(getCommandName({}, globals)).toBe("kiraya --profile 'my home' --url http://localhost:3000")
})

test.each([
  ['A-101', 'A-101'],
  ['a@b.co', 'a@b.co'],
  ['', "''"],
  ['White House', "'White House'"],
  ["it's", `'it'\\''s'`],
  ['$HOME', "'$HOME'"],
  ['*', "'*'"],
])('a shell reads %p as one word: %s', (argument, word) => {
  expect(quote(argument)).toBe(word)
})
