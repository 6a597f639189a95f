import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

export interface DispatchedRequest {
  path: string
  headers?: Record<string, string>
  /** Sent as POST, already parsed. */
  form?: Record<string, string>
}

export interface DispatchedReply {
  status: number
  headers: OutgoingHttpHeaders
  body: string
}

const TIMEOUT_MS = 10_000

class Sink extends Socket {
  override _write(_chunk: unknown, _encoding: string, written: () => void): void {
    written()
  }
  override _writev(_chunks: unknown, written: () => void): void {
    written()
  }
}

/** Asks an Express app without a connection. For replies sent whole. @throws when it does not answer in time */
export function dispatch(
  app: (request: IncomingMessage, response: ServerResponse) => void,
  { path, headers, form }: DispatchedRequest,
): Promise<DispatchedReply> {
  const request = new IncomingMessage(new Socket())
  request.method = form ? 'POST' : 'GET'
  request.url = path
  Object.assign(request.headers, headers)
  Object.assign(request, { body: form ?? {}, _body: true })
  request.push(null)

  const response = new ServerResponse(request)
  response.assignSocket(new Sink())
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`${path} was not answered`))
      response.emit('close')
    }, TIMEOUT_MS)
    response.once('finish', () => response.emit('close'))
    const end = response.end.bind(response)
    response.end = (chunk?: unknown) => {
      clearTimeout(timer)
      const body = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : ''
      resolve({ status: response.statusCode, headers: response.getHeaders(), body })
      return end(body)
    }
    app(request, response)
  })
}
