import pino from 'pino'
import pretty from 'pino-pretty'

/** JSON lines on stdout; readable ones on a developer's terminal. */
export const createLog = (level: string, readable: boolean) => pino(
  { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } },
  readable ? pretty({ translateTime: 'HH:MM:ss', ignore: 'request_id', singleLine: true, sync: true }) : pino.destination({ sync: true }),
)
export type Log = pino.Logger
