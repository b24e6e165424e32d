import { UnauthorizedError } from './errors.ts'
import { refuseInput } from './inputs.ts'
import type { ClientOptions } from './options.ts'

/** The token that a client sends, in its memory or in a store of the application's. */
export function createSession({ token, tokenStore, onUnauthorized }: ClientOptions) {
  if (token && tokenStore) refuseInput('Pass token or tokenStore, not both')
  let current = token
  let stored: Promise<unknown> = Promise.resolve()

  const save = (token: string | undefined) => {
    current = token
    stored = (async () => (token ? tokenStore?.set(token) : tokenStore?.clear()))()
    return stored
  }

  return {
    get token() {
      return current
    },
    set token(token: string | undefined) {
      // The next call waits for the store, and throws what it throws.
      save(token).catch(() => {})
    },
    save,
    /** Returns the token for a request. */
    load: async () => {
      const saved = stored
      stored = Promise.resolve()
      await saved
      if (tokenStore) current = (await tokenStore.get()) ?? undefined
      return current
    },
    /** Drops a token that the server refused, unless this client or another of the store has replaced it. */
    end: async (refused: string, error: UnauthorizedError) => {
      const inStore = tokenStore ? await tokenStore.get() : refused
      if (inStore !== refused || current !== refused) return
      await save(undefined)
      await onUnauthorized?.(error)
    },
  }
}
