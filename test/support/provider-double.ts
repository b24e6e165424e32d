import { afterAll } from 'bun:test'

/** Starts a server in place of a provider, which stops after the tests of the file, and returns its address. */
export function serveUntilEnd(fetch: (request: Request) => Response | Promise<Response>) {
  const listener = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch })
  afterAll(() => listener.stop(true))
  return `http://127.0.0.1:${listener.port}`
}
