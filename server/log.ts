import { AsyncLocalStorage } from 'node:async_hooks'
import pino from 'pino'
import pretty from 'pino-pretty'

/** The id of the request that is being answered, for every line that is logged meanwhile. */
export const requestId = new AsyncLocalStorage<string>()

/** JSON lines on stdout; readable ones on a developer's terminal. */
export const createLog = (level: string, readable: boolean, destination?: pino.DestinationStream) => pino(
  { level, base: null, mixin: () => ({ request_id: requestId.getStore() }), timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } },
  destination ?? (readable ? pretty({ translateTime: 'HH:MM:ss', ignore: 'request_id', singleLine: true, sync: true }) : pino.destination({ sync: true })),
)
export type Log = pino.Logger
