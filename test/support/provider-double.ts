import { afterAll } from 'bun:test'

/** Stands in for a provider until the tests of the file end; returns its address. */
export function serveUntilEnd(fetch: (request: Request) => Response | Promise<Response>) {
  const listener = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 60, fetch })
  afterAll(() => listener.stop(true))
  return `http://127.0.0.1:${listener.port}`
}
