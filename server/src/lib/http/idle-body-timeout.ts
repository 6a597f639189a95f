import type { Request, RequestHandler, Response } from 'express'

const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Ends a request whose body stalls for `idleMs` to twice that, however long it takes; `answer` tells the caller. */
export function idleBodyTimeout(
  idleMs: number,
  answer: (request: Request, response: Response) => void,
): RequestHandler {
  return (request, response, next) => {
    if (!hasBody(request)) return next()
    const { socket } = request
    let received = socket.bytesRead
    const watch = setInterval(() => {
      if (request.complete || socket.destroyed) return clearInterval(watch)
      if (socket.bytesRead !== received) {
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
