import { describe, expect, test } from 'bun:test'
import { toExitCode, UsageError } from '../../cli/runtime/errors'
import { describeConnectionFailure, keepAddress, reportError, toMessage } from '../../cli/runtime/report'
import { KirayaError } from '../../sdk'
import { recordTerminal } from './shell'

function report(error: unknown) {
  const { terminal, told } = recordTerminal()
  return [reportError(error, terminal), ...told]
}

// The codes of the server are in transcripts/tools.txt, and reasons in usage.txt.
const codes: [code: KirayaError['code'], exitCode: number, advice: string][] = [
  ['NETWORK_ERROR', 8, 'Is the server running? Set its address with --url or KIRAYA_URL'],
  ['TIMEOUT', 8, 'Try again, or check the address in --url or KIRAYA_URL'],
  ['ABORTED', 1, ''],
]
test.each(codes)('%s ends with %d and the advice %p', (code, exitCode, advice) => {
  const lines = [`No (${code})`, ...(advice ? [advice] : [])]
  expect(report(new KirayaError('No', { code }))).toEqual([exitCode, ...lines])
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

test.each([
  ['ENOENT', 'There is no file or folder houses.csv'],
  ['ENOTDIR', 'There is no file or folder houses.csv'],
  ['EISDIR', 'houses.csv is a folder, not a file'],
  ['EACCES', 'You may not read or write houses.csv'],
  ['EPERM', 'You may not read or write houses.csv'],
  ['EROFS', 'You may not read or write houses.csv'],
])('the failure %s of a file is told as: %s', (code, sentence) => {
  const error = Object.assign(new Error('raw words'), { code, path: 'houses.csv' })
  expect(toMessage(error)).toContain(sentence)
  expect(toMessage(error)).not.toContain('raw words')
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
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate is not trusted'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired or is not valid yet'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
    ['ECONNRESET', 'the connection failed or was lost'],
    [undefined, 'the connection failed or was lost'],
  ])('%s of a runtime means %p', (code, cause) => {
    const inner = Object.assign(new Error('inner'), { code })
    keepAddress(new Error('outer', { cause: inner }), 'http://localhost:3000/properties?page=2')
    const thrown = new KirayaError('Unreachable', { code: 'NETWORK_ERROR', cause: inner })
    expect(describeConnectionFailure(thrown)).toBe(`http://localhost:3000 is unreachable: ${cause}`)
  })

  test('is described only if there is an address', () => {
    keepAddress('no error', 'http://localhost:3000')
    expect(describeConnectionFailure(new Error('Other'))).toBeUndefined()
  })
})
