import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { reportError, UsageError } from '../../cli/exit-codes'
import { createTerminal } from '../../cli/terminal'
import { TimeoutError } from '../../sdk'
import { createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { createShell } from './shell'

describe('the exit code of a refused request', () => {
  // A wait that is too long for the client, which otherwise repeats some of these requests.
  const headers = { 'retry-after': '60' }
  const cases: [status: number, code: string, exitCode: number, advice: string][] = [
    [400, 'VALIDATION_ERROR', 6, 'Correct the input and try again'],
    [400, 'BAD_REQUEST', 6, ''],
    [401, 'UNAUTHORIZED', 4, 'Sign in: kiraya login --phone <number>'],
    [403, 'FORBIDDEN', 7, ''],
    [404, 'NOT_FOUND', 5, 'Find the id with the list command'],
    [429, 'TOO_MANY_REQUESTS', 1, 'Wait 60 seconds'],
    [500, 'INTERNAL_SERVER_ERROR', 1, 'Wait 60 seconds'],
    [503, 'SERVICE_UNAVAILABLE', 8, 'Try again later'],
  ]
  test.each(cases)('%d %s is %d', async (status, code, exitCode, advice) => {
    using server = createStubServer(errorResponse(status, code, headers))
    using shell = createShell(server.url)

    const result = await shell.kiraya('property list')

    expect([result.exitCode, result.out]).toEqual([exitCode, ''])
    expect(result.err).toBe([`No (${code}, request r1)`, ...(advice ? [advice] : []), ''].join('\n'))
    expect(server.requests).toHaveLength(1)
  })

  test('without a time to wait is advice about the code', async () => {
    using server = createStubServer(errorResponse(500, 'INTERNAL_SERVER_ERROR'))
    using shell = createShell(server.url)

    const result = await shell.kiraya('property get 1')

    expect(result.exitCode).toBe(1)
    expect(result.err).toContain('Report the request id to the operator')
  })
})

test('0: a request that succeeds', async () => {
  const metadata = { page: 1, limit: 50, total: 0, total_pages: 0 }
  using server = createStubServer(() => Response.json({ success: true, data: [], metadata }))
  using shell = createShell(server.url)
  const { exitCode, out, err } = await shell.kiraya('property list')
  expect({ exitCode, out, err }).toEqual({ exitCode: 0, out: '[]\n', err: '' })
})

describe('reports', () => {
  function report(error: unknown) {
    const lines: string[] = []
    const terminal = { ...createTerminal(), err: (line: string) => void lines.push(line) }
    return { exitCode: reportError(error, terminal), lines }
  }

  test('8: a server that takes too long', () => {
    expect(report(new TimeoutError('No answer', { code: 'TIMEOUT' }))).toEqual({
      exitCode: 8,
      lines: ['No answer (TIMEOUT)', 'Try again, or check the address in --url or KIRAYA_URL'],
    })
  })

  test('2: a command line that is wrong', () => {
    expect(report(new UsageError('--phone is required'))).toEqual({
      exitCode: 2,
      lines: ['--phone is required'],
    })
  })

  const failures: [meaning: string, error: unknown][] = [
    ['an error', new Error('The disk is full')],
    ['an error with a code of the system', Object.assign(new Error('The disk is full'), { code: 'ENOSPC' })],
    ['a text', 'The disk is full'],
  ]
  test.each(failures)('1: any other failure, as %s', (_, error) => {
    expect(report(error)).toEqual({ exitCode: 1, lines: ['The disk is full'] })
  })

  test('a text from elsewhere without what controls the terminal', () => {
    expect(report(new Error('a\u001b[31mb\u202ec\nd')).lines).toEqual(['a [31mb c d'])
  })
})

test('1: a file of sign-ins that cannot be read', async () => {
  using server = createStubServer(dataResponse())
  using shell = createShell(server.url)
  await Bun.write(`${shell.home}/.config/kiraya/credentials.json`, '{')

  const result = await shell.kiraya('property list')

  expect(result.exitCode).toBe(1)
  expect(result.err).toContain('credentials.json')
  expect(server.requests).toEqual([])
})

test('0: a reader that leaves before the end is no failure', async () => {
  const line = '"$0" --no-env-file "$1" --help | true; exit ${PIPESTATUS[0]}'
  const index = join(import.meta.dir, '../../cli/index.ts')
  const run = Bun.spawn(['bash', '-c', line, process.execPath, index], { stdout: 'pipe', stderr: 'pipe' })
  expect([await run.exited, await new Response(run.stderr).text()]).toEqual([0, ''])
})
