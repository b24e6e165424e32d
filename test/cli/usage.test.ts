import { describe, expect, test } from 'bun:test'
import { AgreementStatus, FurnishingType, PropertyType, RoomType } from '../../sdk/contract'
import { createStubServer, errorResponse } from '../sdk/stub-server'
import { testServer } from '../support/server'
import { createLandlordShell, createShell } from './shell'

const server = testServer()

describe('2: names what is wrong with the command line', () => {
  const cases: [commandLine: string, word: string][] = [
    ['login', '--phone'],
    ['onboard --phone 9876543210', '--otp'],
    ['property delete 1', '--yes'],
    ['unit delete 1 1', '--yes'],
    ['unit resign 1 1', '--yes'],
    ['agreement delete 1', '--yes'],
    ['agreement terminate 1', '--yes'],
    ['agreement complete 1', '--yes'],
    ['agreement revise 1 --rent 1', '--yes'],
    ['agreement cancel-signature 1 6ba7b810-9dad-11d1-80b4-00c04fd430c8', '--yes'],
    ['property create --pin-code 560048', '--property-type'],
    ['unit create 1', '--unit-name'],
    ['tenant create', '--phone'],
    ['tenant create --phone 9876543210 --role admin', '--role'],
    ['agreement create --unit 1', '--tenant'],
    ['property create --pin-code x --property-type pg', 'whole number'],
    ['unit create 1 --unit-name a --area-sqft large', 'must be a number'],
    ['unit create 1 --unit-name a --is-available maybe', 'true or false'],
    ['property lst', 'unknown command'],
    ['tenant add --phone 9876543210', 'unknown command'],
    ['--nope', 'unknown option'],
    ['status --url ftp://x', '--url'],
    ['ops jobs', 'KIRAYA_OPS_TOKEN'],
  ]
  test.each(cases)('%s', async (commandLine, word) => {
    using shell = createShell(server.url)

    const { exitCode, out, err } = await shell.kiraya(commandLine)

    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(err).toContain(word)
  })
})

describe('a failure has an exit code, a reason with the request id, and advice', () => {
  test('4: not signed in', async () => {
    using shell = createShell(server.url)
    const result = await shell.kiraya('property list')
    expect(result).toMatchObject({ exitCode: 4, out: '' })
    expect(result.err).toMatch(/UNAUTHORIZED, request [0-9a-f-]{36}[^]*kiraya login/)
  })

  test('5: not found', async () => {
    using shell = await createLandlordShell(server.url)
    const result = await shell.kiraya('agreement get 999999')
    expect(result.exitCode).toBe(5)
    expect(result.err).toContain('NOT_FOUND')
  })

  test('6: invalid', async () => {
    using shell = await createLandlordShell(server.url)
    const result = await shell.kiraya('property create --pin-code 12 --property-type pg')
    expect(result.exitCode).toBe(6)
    expect(result.err).toContain('pin_code')
  })

  test('6: too large', async () => {
    using shell = await createLandlordShell(server.url)
    const name = 'x'.repeat(70_000)
    const result = await shell.kiraya(`tenant create --phone 9876543210 --first-name ${name}`)
    expect(result.exitCode).toBe(6)
    expect(result.err).toMatch(/at most 65536 bytes \(PAYLOAD_TOO_LARGE[^]*Shorten/)
  })

  test('8: the request did not arrive in time', async () => {
    using slow = createStubServer(errorResponse(408, 'REQUEST_TIMEOUT'))
    using shell = createShell(slow.url)
    const result = await shell.kiraya('login --phone 9876543210')
    expect(result.exitCode).toBe(8)
    expect(result.err).toMatch(/REQUEST_TIMEOUT[^]*Try again/)
  })

  test('8: unreachable', async () => {
    using shell = createShell(server.url)
    const result = await shell.kiraya('status --url http://127.0.0.1:1')
    expect(result.exitCode).toBe(8)
    expect(result.err).toContain('NETWORK_ERROR')
  })
})

describe('--help exits with 0', () => {
  const cases: [commandLine: string, word: string][] = [
    ['--help', 'kiraya onboard'],
    ['--help', 'Exit codes:'],
    ['unit create --help', '1rk, 1bhk, 2bhk'],
    ['agreement list --help', 'DRAFT, PENDING, ACTIVE'],
    ['agreement create --help', '--due-day'],
    ['unit create --help', 'Example'],
    ['tenant create --help', 'Example'],
  ]
  test.each(cases)('%s shows %s', async (commandLine, word) => {
    using shell = createShell(server.url)
    const { exitCode, out } = await shell.kiraya(commandLine)
    expect(exitCode).toBe(0)
    expect(out).toContain(word)
  })
})

test('help names a flag by its shorter alias alone', async () => {
  using shell = createShell(server.url)
  const { out } = await shell.kiraya('agreement create --help')
  expect(out).toContain('--start <text>')
  expect(out).not.toContain('--agreement-start-date')
})

test('an address may end in slashes: it is that of the stored sign-in', async () => {
  using shell = await createLandlordShell(server.url)
  expect((await shell.kiraya(`status --url ${server.url}//`)).exitCode).toBe(0)
})

test.each([
  ['property create', PropertyType],
  ['unit create', RoomType],
  ['unit create', FurnishingType],
  ['agreement list', AgreementStatus],
  ['wait agreement', AgreementStatus],
])('%s --help lists every word of the API', async (command, schema) => {
  using shell = createShell(server.url)
  const { out } = await shell.kiraya(`${command} --help`)
  const words = (schema as unknown as { anyOf: { const: string }[] }).anyOf.map(literal => literal.const)
  expect(out.replaceAll(/\s+/g, ' ')).toContain(words.join(', '))
})
