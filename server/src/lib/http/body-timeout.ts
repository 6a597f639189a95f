import type { IncomingMessage, ServerResponse } from 'node:http'

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Bytes a millisecond. Nobody works over a slower connection. */
const SLOWEST_LINE = 4
export const IDLE_BODY_MS = 60_000

/** From one network, of those that anybody may send; a class signing in sends its own at once. */
const MAX_SLOW_BODIES = 50

/**
 * Ends a request whose body stalls for `idleMs`, or takes twice that longer than its size allows. Bodies that anybody
 * may send are small, so they get a third of the time, and the oldest of too many slow ones from a network is ended.
 * `networkOf` and `answer`: who sends it, and what tells them.
 */
export function bodyTimeout<Q extends IncomingMessage, S extends ServerResponse>(
  idleMs: number,
  networkOf: (request: Q) => string,
  answer: (request: Q, response: S) => void,
): (request: Q, response: S, next: () => void) => void {
  const checkMs = idleMs / 12
  /** How to end those that have been checked once and are still open, the oldest first. */
  const slowBodies = new Map<string, Set<() => void>>()
  return (request, response, next) => {
    if (!hasBody(request)) return next()
    const { socket } = request
    const network = networkOf(request)
    const began = performance.now()
    const bytesBefore = socket.bytesRead
    let last = { bytes: bytesBefore, at: began }
    let answeredAt = Number.POSITIVE_INFINITY
    // The rest of a body is read so that its sender gets the answer.
    response.once('finish', () => {
      answeredAt = performance.now()
    })
    const stop = () => {
      clearInterval(watch)
      const slow = slowBodies.get(network)
      slow?.delete(end)
      if (slow?.size === 0) slowBodies.delete(network)
    }
    const end = () => {
      stop()
      if (response.headersSent) return void socket.destroy()
      response.once('finish', () => socket.destroy())
      response.setHeader('Connection', 'close')
      answer(request, response)
    }
    const isTooSlow = (patienceMs: number) => {
      const now = performance.now()
      if (socket.bytesRead !== last.bytes) last = { bytes: socket.bytesRead, at: now }
      const late = now - began - (last.bytes - bytesBefore) / SLOWEST_LINE
      return now - last.at >= patienceMs || late >= 2 * patienceMs || now - answeredAt >= 2 * idleMs
    }
    const watch = setInterval(() => {
      if (request.complete || socket.destroyed) return stop()
      // Forms with files are read for signed-in callers only; what else is still coming has been refused.
      const isUpload = /^multipart\/form-data/i.test(request.headers['content-type'] ?? '') && !response.headersSent
      if (isTooSlow(isUpload ? idleMs : idleMs / 3)) return end()
      if (isUpload) return
      const slow = slowBodies.get(network) ?? new Set()
      slowBodies.set(network, slow.add(end))
      const [oldest] = slow
      if (slow.size > MAX_SLOW_BODIES) oldest?.()
    }, checkMs)
    watch.unref()
    next()
  }
}
