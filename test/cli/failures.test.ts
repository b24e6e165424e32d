import { expect, test } from 'bun:test'
import { describeConnectionFailure, keepAddress } from '../../cli/connection-failures'
import { reportError, toExitCode } from '../../cli/exit-codes'
import { createTerminal } from '../../cli/terminal'
import { KirayaError } from '../../sdk'

const url = 'http://localhost:3000/properties?page=2'
const causes: [code: string | undefined, cause: string][] = [
  ['ConnectionRefused', 'the connection was refused'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ENOTFOUND', 'the host is unknown'],
  ['EAI_AGAIN', 'the host is unknown'],
  ['HPE_INVALID_CONSTANT', 'what answers there does not speak this protocol, http or https'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'what answers there does not speak this protocol, http or https'],
  ['EPROTO', 'what answers there does not speak this protocol, http or https'],
  ['ECONNRESET', 'the connection failed or was lost'],
  [undefined, 'the connection failed or was lost'],
]
test.each(causes)('the code %s of a runtime means %p', (code, cause) => {
  const inner = Object.assign(new Error('inner'), { code })
  const outer = new Error('outer', { cause: inner })
  keepAddress(outer, url)
  const thrown = new KirayaError('Unreachable', { code: 'NETWORK_ERROR', cause: inner })
  expect(describeConnectionFailure(thrown)!('en')).toBe(`http://localhost:3000 is unreachable: ${cause}`)
})

test('a failure that has no address is not described', () => {
  expect(describeConnectionFailure(new Error('Other'))).toBeUndefined()
  keepAddress('no error', url)
})

const codes: [code: KirayaError['code'], exitCode: number][] = [
  ['UNAUTHORIZED', 4],
  ['NOT_FOUND', 5],
  ['VALIDATION_ERROR', 6],
  ['BAD_REQUEST', 6],
  ['PAYLOAD_TOO_LARGE', 6],
  ['FORBIDDEN', 7],
  ['NETWORK_ERROR', 8],
  ['TIMEOUT', 8],
  ['REQUEST_TIMEOUT', 8],
  ['SERVICE_UNAVAILABLE', 8],
  ['TOO_MANY_REQUESTS', 1],
  ['ABORTED', 1],
  ['INTERNAL_SERVER_ERROR', 1],
]
test.each(codes)('%s ends with %d', (code, exitCode) => {
  const terminal = { ...createTerminal(), err: () => {} }
  expect(reportError(new KirayaError('No', { code }), terminal)).toBe(exitCode)
})

test.each([
  [200, 0],
  [399, 0],
  [400, 6],
  [401, 4],
  [403, 7],
  [404, 5],
  [408, 8],
  [409, 6],
  [413, 6],
  [429, 1],
  [499, 6],
  [500, 1],
  [502, 1],
  [503, 8],
])('the status %d of an answer to `api` ends with %d', (status, exitCode) => {
  expect(toExitCode(status)).toBe(exitCode)
})
