import type { Config } from '../config'

/** Fails if another process listens on the port, even one that would share it; finds a free port for 0. */
export function findFreePort({ PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>) {
  const listener = Bun.serve({ hostname: HOST, port: PORT, fetch: () => new Response() })
  const { port } = listener
  void listener.stop(true)
  return String(port)
}
