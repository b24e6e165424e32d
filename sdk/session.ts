import { KirayaError, type UnauthorizedError } from './errors.ts'
import { callHook } from './hooks.ts'
import { refuseInput } from './inputs.ts'
import type { ClientOptions } from './options.ts'
import type { Session } from '#types'

const DAY_MS = 86_400_000
/** From one try to renew a token to the next. */
const RENEWAL_PAUSE_MS = 3_600_000

type Token = string | undefined

/** The token that a client sends, in its memory or in a store of the application's. */
export function createSession(options: ClientOptions, requestToken: (token: string) => Promise<string>) {
  const { tokenStore, autoRenew = true, onUnauthorized } = options
  if (options.token && tokenStore) refuseInput('Pass token or tokenStore, not both')
  const keeper = createKeeper(options)
  let renewal: Promise<void> | undefined
  let nextRenewalAt = 0

  async function replace(old: string) {
    nextRenewalAt = Date.now() + RENEWAL_PAUSE_MS
    try {
      // With a store that cannot write, the next client would renew the old token again.
      await tokenStore?.set(old)
      const next = await requestToken(old)
      if (await keeper.has(old)) await keeper.save(next)
    } catch {
      // The old token goes on until it expires. If it has ended, the call itself is told.
    }
  }

  return Object.assign(keeper, {
    /** Returns the token, or the one that takes its place once it is a day old. */
    renew: async (old: Token) => {
      if (!old) return old
      const isDue = Date.now() >= nextRenewalAt && Date.now() - parseClaims(old).iat * 1000 >= DAY_MS
      if (autoRenew && isDue) renewal = replace(old).finally(() => (renewal = undefined))
      await renewal
      return keeper.token
    },
    /** Drops a token that the server refused, unless this client or another of the store has replaced it. */
    end: async (refused: string, error: UnauthorizedError) => {
      /** Nothing hides the 401. */
      const attempt = (work: () => unknown) =>
        new Promise(resolve => resolve(work())).catch(
          (cause: unknown) => (error.cause ??= cause instanceof KirayaError ? cause.cause : cause),
        )
      await attempt(async () => {
        if (!(await keeper.has(refused))) return
        await attempt(() => keeper.save(undefined))
        await attempt(() => onUnauthorized?.(error))
      })
    },
  })
}

function createKeeper({ token, tokenStore, onSession }: ClientOptions) {
  let current = token
  /** A write to the store, which the next call waits for. */
  let pending: Promise<unknown> = Promise.resolve()

  const read = async () => (tokenStore ? ((await useStore(() => tokenStore.get())) ?? undefined) : current)

  async function write(next: Token) {
    const tell = () => callHook(onSession, next ? toSession(next) : undefined)
    const stored = useStore(() => (next ? tokenStore?.set(next) : tokenStore?.clear()))
    // A session is over even if its token stays in the store.
    if (!next) return stored.finally(tell)
    await stored
    tell()
  }

  function save(next: Token) {
    current = next
    const written = write(next)
    pending = written.catch(() => {})
    return written
  }

  return {
    get token(): Token {
      return current
    },
    set token(next: Token) {
      // The next call throws what the store throws.
      pending = save(next)
      pending.catch(() => {})
    },
    save,
    /** Returns the token for a request. */
    load: async () => {
      const saved = pending
      pending = Promise.resolve()
      await saved
      if (tokenStore) current = await read()
      return current
    },
    /** Whether this is still the token, here and in the store. */
    has: async (one: string) => (await read()) === one && current === one,
  }
}

async function useStore<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new KirayaError('The token store failed', { code: 'TOKEN_STORE_FAILED', cause })
  }
}

type Claims = { phone: string; iat: number; exp: number }
const NO_CLAIMS: Claims = { phone: '', iat: Infinity, exp: 0 }

/** Reads what a token says; the server verifies it. */
export function parseClaims(token = ''): Claims {
  try {
    const [, claims] = token.split('.')
    const base64 = claims!.replaceAll('-', '+').replaceAll('_', '/')
    return { ...NO_CLAIMS, ...JSON.parse(atob(base64)) }
  } catch {
    return NO_CLAIMS
  }
}

const toSession = (token: string): Session => ({
  access_token: token,
  expires_at: new Date(parseClaims(token).exp * 1000).toISOString(),
})
