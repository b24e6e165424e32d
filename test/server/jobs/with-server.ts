import { clock, startTestServer, type TestServer } from '../../support/server'

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export type MovableServer = TestServer & { advance: (ms: number) => void }

/** A server whose clock the test moves. */
export const withServer =
  (work: (server: MovableServer) => Promise<void>, env: Record<string, string> = {}, start?: Date) =>
  async () => {
    const time = clock(start)
    const server = await startTestServer({ env, overrides: { now: time.now } })
    await work({ ...server, advance: time.advance }).finally(server.end)
  }
