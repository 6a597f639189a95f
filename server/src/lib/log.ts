import { type DestinationStream, type Logger, pino } from 'pino'
import { currentContext } from './request-context.ts'

export type Log = Logger

/** At any depth of an object. */
const redactedFields = [
  'password',
  'new_password',
  'token',
  'access_token',
  'csrf_token',
  'authorization',
  'cookie',
  'secret',
  'api_key',
]

export function createLog(level: string, to?: DestinationStream): Log {
  const options = {
    level,
    base: undefined,
    mixin: currentContext,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: redactedFields.flatMap((word) => [word, `*.${word}`, `*.*.${word}`, `req.headers["${word}"]`]),
      censor: '[hidden]',
    },
  }
  return to ? pino(options, to) : pino(options)
}
