import { runServer } from '../../server/process/run'

/**
 * The server as `bun start` runs it, with the constants that `CONSTANTS` names as JSON.
 * Workers run this file too, with the environment of their supervisor.
 */
await runServer(process.env, JSON.parse(process.env.CONSTANTS ?? '{}'))
