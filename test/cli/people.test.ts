import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { createContext } from '../../cli/runtime/context'
import { reportError } from '../../cli/runtime/errors'
import { createPhone, finishOnboarding, signInPerson } from '../../cli/runtime/people'
import { isSandboxPage, pressButton } from '../../cli/runtime/sandbox'
import type { Kiraya, SignInStatus } from '../../sdk'
import { catchError, createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'
import { recordTerminal } from './shell'

afterEach(() => mock.restore())

test.each([
  [0, '9000000000'],
  [7, '9000000007'],
  [999_999_999, '9999999999'],
  [4_294_967_295, '9294967295'],
])('the random number %d is the mobile number %s', (random, phone) => {
  const fill = (values: Uint32Array) => values.fill(random)
  spyOn(crypto, 'getRandomValues').mockImplementation(fill as typeof crypto.getRandomValues)
  expect(createPhone()).toBe(phone)
})

const person = { first_name: 'Asha', last_name: 'Rao', email: 'asha@example.com' }

test.each<[SignInStatus, page: string, done: unknown[]]>([
  ['NEEDS_PROFILE_COMPLETION', '/sandbox/verify/v-1', [person, '/sandbox/verify/v-1/approve', 'v-1']],
  ['NEEDS_VERIFICATION', '/sandbox/verify/v-1', ['/sandbox/verify/v-1/approve', 'v-1']],
  ['NEEDS_VERIFICATION', '/verify/v-1', ['v-1']],
  ['LOGIN_SUCCESSFUL', '/sandbox/verify/v-1', []],
])(
  'an onboarding that %s does what is missing, and presses buttons of the sandbox alone',
  async (...given) => {
    const [status, page, expected] = given
    const done: unknown[] = []
    using server = createStubServer((_, { path }) => {
      done.push(path)
      return new Response()
    })
    const profile = {
      complete: async (input: object) => void done.push(input),
      startKyc: async () => ({ verification_id: 'v-1', verification_url: server.url + page }),
      completeKyc: async (id: string) => void done.push(id),
    }
    const input = { ...person, password: 'x' } as typeof person
    await finishOnboarding({ profile } as unknown as Kiraya, status, input)
    expect(done).toEqual(expected)
  },
)

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

test.each([200, 302, 303])('a button is pressed once where the page answers %d', async status => {
  using server = createStubServer(answer(status))
  await pressButton(`${server.url}/sandbox/sign/7`, 'sign')
  const calls = server.requests.map(({ method, path }) => `${method} ${path}`)
  expect(calls).toEqual(['POST /sandbox/sign/7/sign'])
})

test.each([400, 404, 410, 500])('a page that answers %d is named', async status => {
  using server = createStubServer(answer(status))
  const error = await catchError(pressButton(`${server.url}/sandbox/sign/7`, 'decline'))
  expect(error!.message).toContain(`${server.url}/sandbox/sign/7/decline`)
  expect(error!.message).toContain(String(status))
})

test.each([
  ['http://localhost:3000/sandbox/sign/7', true],
  ['https://example.com/api/sandbox/verify/v-1?from=app', true],
  ['https://example.com/sign/7', false],
  ['https://example.com/sandbox/files/7', false],
  ['https://example.com/sandbox/sign/', false],
  ['https://example.com/sandbox/sign/7/sign', false],
  ['https://example.com/?page=/sandbox/sign/7', false],
  ['sandbox/sign/7', false],
])('%s is a page of the sandbox: %p', (address, isPage) => {
  expect(isSandboxPage(address)).toBe(isPage)
})
