import type { HttpClient } from './http-client.ts'
import type { Path } from './inputs.ts'
import type { CallOptions } from './options.ts'

export type Http = ReturnType<typeof createHttp>

/** The requests that a resource sends. */
export const createHttp = (client: HttpClient) => ({
  get: <T>(path: Path, query?: object, options?: CallOptions) => client.get<T>(path, options, { query }),
  /** A list: `await` returns a page, `for await` yields every item. */
  list: client.list,
  /** Sends an idempotency key, so that a repetition changes nothing. */
  post: <T>(path: Path, body: object, options?: CallOptions) =>
    client.create<T>(path, options, { json: body }),
  patch: <T>(path: Path, body: object, options?: CallOptions) =>
    client.patch<T>(path, options, { json: body }),
  delete: <T>(path: Path, options?: CallOptions) => client.delete<T>(path, options),
})
