import { describe, expect, test } from 'bun:test'
import { describeConnectionFailure, keepAddress } from '../../cli/connection-failures'
import { reportError, toExitCode, toMessage, UsageError } from '../../cli/exit-codes'
import { KirayaError } from '../../sdk'
import { createStubServer, dataResponse, emptyPage, errorResponse } from '../sdk/stub-server'
import { createShell, recordTerminal, runAgainst } from './shell'

function report(error: unknown) {
  const { terminal, told } = recordTerminal()
  return [reportError(error, terminal), ...told]
}

const codes: [code: KirayaError['code'], exitCode: number, advice: string][] = [
  ['UNAUTHORIZED', 4, 'Sign in: kiraya login --phone <number>'],
  ['NOT_FOUND', 5, 'Find the id with the list command'],
  ['VALIDATION_ERROR', 6, 'Correct the input and try again'],
  ['BAD_REQUEST', 6, ''],
  ['PAYLOAD_TOO_LARGE', 6, 'Shorten the texts, or send fewer of them at once'],
  ['FORBIDDEN', 7, ''],
  ['NETWORK_ERROR', 8, 'Is the server running? Set its address with --url or KIRAYA_URL'],
  ['TIMEOUT', 8, 'Try again, or check the address in --url or KIRAYA_URL'],
  ['REQUEST_TIMEOUT', 8, 'Try again: the connection is too slow'],
  ['SERVICE_UNAVAILABLE', 8, 'Try again later'],
  ['TOO_MANY_REQUESTS', 1, ''],
  ['ABORTED', 1, ''],
  ['INTERNAL_SERVER_ERROR', 1, 'Report the request id to the operator'],
]
test.each(codes)('%s ends with %d and the advice %p', (code, exitCode, advice) => {
  const lines = [`No (${code})`, ...(advice ? [advice] : [])]
  expect(report(new KirayaError('No', { code }))).toEqual([exitCode, ...lines])
})

const reasons: [code: KirayaError['code'], reason: string, advice: string][] = [
  ['UNAUTHORIZED', 'ops_token_required', "KIRAYA_OPS_TOKEN is not the server's OPS_TOKEN"],
  ['UNAUTHORIZED', 'sandbox_token_required', "Set KIRAYA_SANDBOX_TOKEN to the server's SANDBOX_TOKEN"],
  ['NOT_FOUND', 'page_not_found', 'The server has no OPS_TOKEN'],
  ['NOT_FOUND', 'signed_document_not_found', 'kiraya agreement signatures'],
  ['NOT_FOUND', 'sandbox_request_not_found', 'kiraya sandbox state'],
  ['NOT_FOUND', 'webhook_not_found', 'kiraya ops webhooks'],
  ['NOT_FOUND', 'settlement_not_found', 'Propose one: kiraya deposit settle'],
  ['BAD_REQUEST', 'money_held', 'kiraya payment refund'],
]
test.each(reasons)('%s with the reason %s has an advice of its own', (code, reason, advice) => {
  const [, message, told, ...more] = report(new KirayaError('No', { code, reason }))
  expect([message, more]).toEqual([`No (${code})`, []])
  expect(told).toContain(advice)
})

test.each([
  [429, 'TOO_MANY_REQUESTS'],
  [500, 'INTERNAL_SERVER_ERROR'],
])('1: %d says how long to wait, and is not repeated before', async (status, code) => {
  // A wait that is too long for the client, which otherwise repeats some of these requests.
  const busy = errorResponse(status, code, { 'retry-after': '60' })
  const { exitCode, out, err, calls } = await runAgainst(busy, 'property list')
  expect([exitCode, out, err]).toEqual([1, '', `No (${code}, request r1)\nWait 60 seconds\n`])
  expect(calls).toHaveLength(1)
})

test('0: a request that succeeds', async () => {
  const { exitCode, out, err } = await runAgainst(emptyPage, 'property list')
  expect([exitCode, out, err]).toEqual([0, '[]\n', ''])
})

test('with --json an error is JSON on stderr', async () => {
  const refused = await runAgainst(errorResponse(403, 'FORBIDDEN'), 'property get 1 --json id')
  const wrong = await runAgainst(emptyPage, 'property lst --json')

  expect([refused.exitCode, refused.out]).toEqual([7, ''])
  const error = { code: 'FORBIDDEN', message: 'No', request_id: 'r1', exit_code: 7 }
  expect(JSON.parse(refused.err)).toEqual({ error })
  expect([wrong.exitCode, JSON.parse(wrong.err).error.code]).toEqual([2, 'USAGE'])
})

test('4: hints name the runner and the profile that were used, and one that is not stored', async () => {
  const env = { npm_command: 'exec', npm_lifecycle_event: 'npx' }
  const error = { code: 'UNAUTHORIZED', reason: 'sign_in_required', message: 'No' }
  const refuse = () => Response.json({ success: false, data: null, error }, { status: 401 })

  const { exitCode, err } = await runAgainst(refuse, 'property list --profile two', { env })

  expect(exitCode).toBe(4)
  expect(err).toContain('No sign-in is stored as two')
  expect(err).toEndWith('Sign in: npx kiraya --profile two login --phone <number>\n')
})

test.each<[what: string, error: unknown, exitCode: number, line: string]>([
  ['a wrong command line', new UsageError('--phone is required'), 2, '--phone is required'],
  ['another error', new Error('The disk is full'), 1, 'The disk is full'],
  [
    'one of the system',
    Object.assign(new Error('The disk is full'), { code: 'ENOSPC' }),
    1,
    'The disk is full',
  ],
  ['a text', 'The disk is full', 1, 'The disk is full'],
  ['one that controls a terminal', new Error('a\u001b[31mb\u202ec\nd'), 1, 'a [31mb c d'],
])('%s is told in a line', (_, error, exitCode, line) => {
  expect(report(error)).toEqual([exitCode, line])
})

test('1: a file of sign-ins that cannot be read', async () => {
  using server = createStubServer(dataResponse())
  using shell = createShell(server.url)
  await Bun.write(`${shell.home}/.config/kiraya/credentials.json`, '{')

  const { exitCode, err } = await shell.kiraya('property list')

  expect([exitCode, server.requests]).toEqual([1, []])
  expect(err).toContain('credentials.json')
})

test.each([
  ['ENOENT', 'There is no file or folder houses.csv'],
  ['ENOTDIR', 'There is no file or folder houses.csv'],
  ['EISDIR', 'houses.csv is a folder, not a file'],
  ['EACCES', 'You may not read or write houses.csv'],
  ['EPERM', 'You may not read or write houses.csv'],
  ['EROFS', 'You may not read or write houses.csv'],
])('the failure %s of a file is told as: %s', (code, sentence) => {
  const error = Object.assign(new Error('raw words'), { code, path: 'houses.csv' })
  expect(toMessage(error, 'en')).toContain(sentence)
  expect(toMessage(error, 'en')).not.toContain('raw words')
})

test.each([
  [[200, 399], 0],
  [[401], 4],
  [[404], 5],
  [[400, 409, 413, 499], 6],
  [[403], 7],
  [[408, 503], 8],
  [[429, 500, 502], 1],
])('the status %j of an answer to `api` ends with %d', (statuses, exitCode) => {
  for (const status of statuses) expect([status, toExitCode(status)]).toEqual([status, exitCode])
})

describe('a server that cannot be reached', () => {
  const OTHER = 'what answers there does not speak this protocol, http or https'
  test.each([
    ['ConnectionRefused', 'the connection was refused'],
    ['ECONNREFUSED', 'the connection was refused'],
    ['ENOTFOUND', 'the host is unknown'],
    ['EAI_AGAIN', 'the host is unknown'],
    ['HPE_INVALID_CONSTANT', OTHER],
    ['ERR_SSL_WRONG_VERSION_NUMBER', OTHER],
    ['EPROTO', OTHER],
    ['ECONNRESET', 'the connection failed or was lost'],
    [undefined, 'the connection failed or was lost'],
  ])('%s of a runtime means %p', (code, cause) => {
    const inner = Object.assign(new Error('inner'), { code })
    keepAddress(new Error('outer', { cause: inner }), 'http://localhost:3000/properties?page=2')
    const thrown = new KirayaError('Unreachable', { code: 'NETWORK_ERROR', cause: inner })
    expect(describeConnectionFailure(thrown)!('en')).toBe(`http://localhost:3000 is unreachable: ${cause}`)
  })

  test('is described only if there is an address', () => {
    keepAddress('no error', 'http://localhost:3000')
    expect(describeConnectionFailure(new Error('Other'))).toBeUndefined()
  })

  test('8: is named with its address and the cause', async () => {
    using shell = createShell('http://127.0.0.1:1')
    const { exitCode, err } = await shell.kiraya('status')
    expect(exitCode).toBe(8)
    expect(err).toMatch(/^http:\/\/127.0.0.1:1 is unreachable: the connection was refused \(NETWORK_ERROR/)
  })
})
