import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { createContext } from '../../cli/runtime/context'
import { reportError } from '../../cli/runtime/report'
import { finishOnboarding, signInPerson } from '../../cli/runtime/people'
import { NotSandboxError, pressButton } from '../../cli/runtime/sandbox'
import type { Kiraya, SignInStatus } from '../../sdk'
import { catchError, createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { recordTerminal } from './shell'

afterEach(() => mock.restore())

const person = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

test.each<[SignInStatus, done: unknown[]]>([
  ['NEEDS_PROFILE_COMPLETION', [person, '/sandbox/verify/v-1/approve', 'v-1']],
  ['NEEDS_VERIFICATION', ['/sandbox/verify/v-1/approve', 'v-1']],
  ['LOGIN_SUCCESSFUL', []],
])('an onboarding that %s does what is missing', async (status, expected) => {
  const done: unknown[] = []
  using server = createStubServer((_, { path }) => {
    done.push(path)
    return new Response()
  })
  const profile = {
    complete: async (input: object) => void done.push(input),
    startKyc: async () => ({ verification_id: 'v-1', verification_url: `${server.url}/sandbox/verify/v-1` }),
    completeKyc: async (id: string) => void done.push(id),
  }
  const input = { ...person, password: 'x' } as typeof person
  await finishOnboarding({ profile } as unknown as Kiraya, status, input)
  expect(done).toEqual(expected)
})

test.each([
  ['wrong_otp', true],
  ['otp_expired', false],
])('a sign-in that is refused with %s names the setting of the right one: %p', async (reason, isNamed) => {
  const error = { code: 'UNAUTHORIZED', message: 'No', reason }
  const refuse = () => Response.json({ success: false, error }, { status: 401 })
  using server = createStubServer(dataResponse({}), refuse)
  const { terminal, told } = recordTerminal({ env: { KIRAYA_URL: server.url } })
  const thrown = await catchError(signInPerson(createContext(terminal, {}), '9876543210', '000000'))
  reportError(thrown, terminal)
  expect(told.join().includes("--otp must be the server's SANDBOX_OTP")).toBe(isNamed)
})

test.each([
  [6, 4],
  [1, 2],
])('with %d repetitions a server that is busy is asked %d times at most', async (maxRetries, requests) => {
  const busy = errorResponse(429, 'TOO_MANY_REQUESTS')
  const signedIn = dataResponse({ user: { id: 7 }, status: 'LOGIN_SUCCESSFUL' })
  using server = createStubServer(busy, busy, busy, signedIn)
  // Each pause is over at once.
  spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void) => setImmediate(work)) as never)
  const context = createContext(recordTerminal({ env: { KIRAYA_URL: server.url } }).terminal, {})
  await catchError(signInPerson(context, '9876543210', '123456', maxRetries))
  expect(server.requests.filter(({ path }) => path === '/auth/send-otp')).toHaveLength(requests)
})

const answer = (status: number) => () => new Response(null, { status, headers: { location: '/elsewhere' } })

test.each([
  [200, '/sandbox/sign/7'],
  [302, '/sandbox/sign/7'],
  [303, '/api/sandbox/verify/v-1'],
])('a button is pressed once where the page answers %d', async (status, page) => {
  using server = createStubServer(answer(status))
  await pressButton(server.url + page, 'sign')
  const calls = server.requests.map(({ method, path }) => `${method} ${path}`)
  expect(calls).toEqual([`POST ${page}/sign`])
})

test.each([400, 404, 410, 500])('a page that answers %d is named', async status => {
  using server = createStubServer(answer(status))
  const error = await catchError(pressButton(`${server.url}/sandbox/sign/7`, 'decline'))
  expect(error!.message).toContain(`${server.url}/sandbox/sign/7/decline`)
  expect(error!.message).toContain(String(status))
})

test.each([
  'https://example.com/sign/7',
  'https://example.com/sandbox/files/7',
  'https://example.com/sandbox/sign/',
  'https://example.com/sandbox/sign/7/sign',
  'https://example.com/?page=/sandbox/sign/7',
  'sandbox/sign/7',
])('nothing is pressed on %s, which is no page of the sandbox', async page => {
  const send = spyOn(globalThis, 'fetch')
  expect(await catchError(pressButton(page, 'sign'))).toBeInstanceOf(NotSandboxError)
  expect(send).not.toHaveBeenCalled()
})
