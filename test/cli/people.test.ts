import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { createContext } from '../../cli/context'
import { createPhone, finishOnboarding, signInPerson } from '../../cli/people'
import { reportError } from '../../cli/exit-codes'
import { createTerminal } from '../../cli/terminal'
import type { Kiraya, SignInStatus } from '../../sdk'
import { catchError, createStubServer, dataResponse, errorResponse } from '../sdk/stub-server'

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

/** What an onboarding asks of a server whose identity checks are at such an address. */
async function onboard(status: SignInStatus, toPage: (origin: string) => string) {
  const done: unknown[] = []
  using server = Bun.serve({
    port: 0,
    fetch: request => {
      done.push(new URL(request.url).pathname)
      return new Response()
    },
  })
  const profile = {
    complete: async (input: object) => void done.push(input),
    startKyc: async () => ({ verification_id: 'v-1', verification_url: toPage(server.url.origin) }),
    completeKyc: async (id: string) => void done.push(id),
  }
  await finishOnboarding({ profile } as unknown as Kiraya, status, {
    ...person,
    password: 'x',
  } as typeof person)
  return done
}

const inSandbox = (origin: string) => `${origin}/sandbox/verify/v-1`
const elsewhere = (origin: string) => `${origin}/verify/v-1`
test.each<[SignInStatus, (origin: string) => string, unknown[]]>([
  ['NEEDS_PROFILE_COMPLETION', inSandbox, [person, '/sandbox/verify/v-1/approve', 'v-1']],
  ['NEEDS_VERIFICATION', inSandbox, ['/sandbox/verify/v-1/approve', 'v-1']],
  ['NEEDS_VERIFICATION', elsewhere, ['v-1']],
  ['LOGIN_SUCCESSFUL', inSandbox, []],
])(
  'an onboarding that %s does what is missing, and presses buttons of the sandbox alone',
  async (...given) => {
    const [status, toPage, done] = given
    expect(await onboard(status, toPage)).toEqual(done)
  },
)

/** What a sign-in that the server refuses tells the person. */
async function explainRefusal(reason: string) {
  const refused = () => {
    const error = { code: 'UNAUTHORIZED', message: 'No', reason }
    return Response.json({ success: false, error }, { status: 401 })
  }
  using server = createStubServer(dataResponse({}), refused)
  const told: string[] = []
  const terminal = {
    ...createTerminal(),
    env: { KIRAYA_URL: server.url },
    err: (text: string) => void told.push(text),
  }
  const context = createContext(terminal, {})
  const error = await catchError(signInPerson(context, '9876543210', '000000'))
  reportError(error, terminal)
  return told.join('\n')
}

test('a wrong one-time password is answered with where the right one is', async () => {
  const advice = "the server's SANDBOX_OTP"
  expect(await explainRefusal('wrong_otp')).toContain(advice)
  expect(await explainRefusal('otp_expired')).not.toContain(advice)
})

test.each([
  [6, 4],
  [1, 2],
])('with %d repetitions a server that is busy is asked %d times at most', async (maxRetries, requests) => {
  const busy = errorResponse(429, 'TOO_MANY_REQUESTS')
  const user = { id: 7 }
  using server = createStubServer(busy, busy, busy, dataResponse({ user, status: 'LOGIN_SUCCESSFUL' }))
  // Each pause is over at once.
  spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void) => setImmediate(work)) as never)
  const context = createContext({ ...createTerminal(), env: { KIRAYA_URL: server.url } }, {})
  await catchError(signInPerson(context, '9876543210', '123456', maxRetries))
  expect(server.requests.filter(({ path }) => path === '/auth/send-otp')).toHaveLength(requests)
})
