import type { Config } from '../config'

/** Fails if another process listens on the port, even one that would share it; finds a free port for 0. */
export function findFreePort({ PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>) {
  const listener = Bun.listen({ hostname: HOST, port: PORT, socket: { data() {} } })
  listener.stop(true)
  return String(listener.port)
}
