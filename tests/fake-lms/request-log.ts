import { parseJson } from '@assay/shared/rules/parse-json.ts'
import type { NextFunction, Request, RequestHandler, Response } from 'express'

export type Service =
  | 'authorization'
  | 'jwks'
  | 'token'
  | 'members'
  | 'groups'
  | 'lineItems'
  | 'lineItem'
  | 'scores'
  | 'results'
  | 'configuration'
  | 'registration'
  | 'deepLinkingReturn'

export interface LoggedRequest {
  service: Service
  method: string
  url: string
  headers: Request['headers']
  body: string
  personId: string | null
  at: Date
  /** Null while under way, and for good without an answer. */
  status: number | null
  /** In words, more than the tool is told. */
  reason: string | null
}

export interface Fault {
  status?: number
  reason?: string
  headers?: Record<string, string>
  body?: string | object
  hang?: boolean
  /** Breaks the connection before or after the request was carried out. */
  reset?: 'before' | 'after'
  redirect?: string
  endless?: boolean
  /** A test holds the answer back until it has done something else. */
  before?: () => Promise<unknown>
  times?: number
  person?: { id: string }
  when?: (request: LoggedRequest) => boolean
}

/** A tool has used up its share. */
export const canvasRateLimit: Fault = {
  status: 403,
  body: '403 Forbidden (Rate Limit Exceeded)\n',
  headers: { 'content-type': 'text/plain', 'x-rate-limit-remaining': '0.0', 'x-request-cost': '0.31' },
}

export class RequestLog {
  readonly requests: LoggedRequest[] = []
  #faults: { service: Service; fault: Fault; left: number }[] = []

  fail(service: Service, fault: Fault): () => void {
    const waiting = { service, fault, left: fault.times ?? 1 }
    this.#faults.push(waiting)
    return () => {
      this.#faults = this.#faults.filter((one) => one !== waiting)
    }
  }

  clear(): void {
    this.#faults = []
    this.requests.length = 0
  }

  takeFault(request: LoggedRequest): Fault | null {
    const found = this.#faults.find(
      ({ service, fault }) =>
        service === request.service &&
        (!fault.person || fault.person.id === request.personId) &&
        (!fault.when || fault.when(request)),
    )
    if (!found) return null
    found.left -= 1
    if (found.left <= 0) this.#faults = this.#faults.filter((one) => one !== found)
    return found.fault
  }
}

const loggedRequests = new WeakMap<Response, LoggedRequest>()

export function noteReason(response: Response, reason: string): void {
  const heard = loggedRequests.get(response)
  if (heard) heard.reason = reason
}

function personIn(request: Request): string | null {
  const asked = request.query.user_id
  if (typeof asked === 'string') return asked
  if (typeof request.body !== 'string') return null
  return /"userId"\s*:\s*"?([^",}]+)/.exec(request.body)?.[1] ?? null
}

function streamForever(response: Response, headers: Record<string, string>): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  const spaces = ' '.repeat(64 * 1024)
  const pour = () => {
    while (!response.destroyed && response.write(spaces)) {}
  }
  response.on('drain', pour)
  response.write('[')
  pour()
}

function applyFault(fault: Fault, response: Response): boolean {
  for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value)
  if (fault.hang) return true
  if (fault.reset === 'before') {
    response.socket?.destroy()
    return true
  }
  if (fault.reset === 'after') {
    response.end = () => {
      response.socket?.destroy()
      return response
    }
    return false
  }
  if (fault.endless) {
    streamForever(response, fault.headers ?? {})
    return true
  }
  if (fault.redirect) {
    response.redirect(fault.redirect)
    return true
  }
  if (fault.status === undefined) return false
  if (fault.reason) response.statusMessage = asciiLine(fault.reason)
  response.status(fault.status).send(fault.body ?? '')
  return true
}

export const asciiLine = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 400)

interface Recorded {
  requestLog: RequestLog
  /** In ms. */
  settings: { delayMs: Partial<Record<Service, number>> }
}

export function recordRequests(lms: Recorded, service: Service): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const heard: LoggedRequest = {
      service,
      method: request.method,
      url: request.originalUrl,
      headers: request.headers,
      body: typeof request.body === 'string' ? request.body : JSON.stringify(request.body ?? {}),
      personId: personIn(request),
      at: new Date(),
      status: null,
      reason: null,
    }
    lms.requestLog.requests.push(heard)
    loggedRequests.set(response, heard)
    response.on('finish', () => {
      heard.status = response.statusCode
    })
    const go = async () => {
      const fault = lms.requestLog.takeFault(heard)
      await fault?.before?.()
      if (!fault || !applyFault(fault, response)) next()
    }
    const delay = lms.settings.delayMs[service]
    if (delay) setTimeout(go, delay)
    else void go()
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function jsonObject(body: unknown): Record<string, unknown> | null {
  const value = parseJson(String(body))
  return isObject(value) ? value : null
}
