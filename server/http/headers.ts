import { Elysia } from 'elysia'

const YEAR_S = 31_536_000

/** On every answer, whoever gives it: nobody keeps it, nobody guesses its type, and what is reached by https stays there. */
export const safeHeaders = (publicUrl: string | undefined) => new Elysia({ name: 'safe-headers' }).onRequest(({ set }) => {
  set.headers['cache-control'] = 'no-store'
  set.headers['x-content-type-options'] = 'nosniff'
  if (publicUrl?.startsWith('https:')) set.headers['strict-transport-security'] = `max-age=${YEAR_S}; includeSubDomains`
})
