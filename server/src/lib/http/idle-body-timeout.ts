import type { Request, RequestHandler, Response } from 'express'

const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Bytes a millisecond. Nobody works over a slower connection. */
const SLOWEST_LINE = 4
/** So many times `idleMs` a body may take in addition. */
const ALLOWANCE = 2

/** Ends a request whose body stalls for `idleMs` to twice that, or only trickles in. `answer` tells the caller. */
export function idleBodyTimeout(
  idleMs: number,
  answer: (request: Request, response: Response) => void,
): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next()
    const { socket } = request
    let received = socket.bytesRead
    const since = performance.now()
    const before = received
    const isHeldOpen = () => {
      const slowest = (performance.now() - since - ALLOWANCE * idleMs) * SLOWEST_LINE
      return socket.bytesRead - before < slowest
    }
    const watch = setInterval(() => {
      if (request.complete || socket.destroyed) return clearInterval(watch)
      if (socket.bytesRead !== received && !isHeldOpen()) {
        received = socket.bytesRead
        return
      }
      clearInterval(watch)
      if (response.headersSent) return void socket.destroy()
      response.once('finish', () => socket.destroy())
      response.setHeader('Connection', 'close')
      answer(request, response)
    }, idleMs)
    watch.unref()
    next()
  }
}
