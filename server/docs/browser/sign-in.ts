import { prepareRecords, type Records } from './records'

// Runs in the browser: it may use nothing of the server.

export type Session = { token: string; records: Records }

const KEY = 'kiraya-session'

export function findSession(): Session | undefined {
  const stored = sessionStorage.getItem(KEY)
  return stored ? (JSON.parse(stored) as Session) : undefined
}

/** Signs a new landlord in with the sandbox's one-time password, and creates the records of the examples. */
export async function signIn(otp: string): Promise<Session> {
  const [landlord, other] = [createClient(), createClient()]
  const phones = { phone: createPhone(), tenantPhone: createPhone() }
  const calls = { call: landlord.call, otherCall: other.call }
  const given = { ...calls, otp, origin: location.origin, now: new Date() }
  const records = await prepareRecords(given, phones)
  const session = { token: landlord.getToken(), records }
  sessionStorage.setItem(KEY, JSON.stringify(session))
  return session
}

/** Sends requests with the token of its last sign-in. */
function createClient() {
  let token = ''
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(path, {
      method,
      headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const { data, error } = await response.json()
    if (error) throw new Error(error.message)
    token = data.access_token ?? token
    return data
  }
  return { call, getToken: () => token }
}

/** A mobile number that hardly anyone has tried before. */
const createPhone = () => `9${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}`
