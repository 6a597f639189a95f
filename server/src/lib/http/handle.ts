import { AsyncLocalStorage } from 'node:async_hooks'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '@assay/shared/http/endpoint.ts'
import type { Role } from '@assay/shared/users.ts'
import type { CookieOptions, Request, Response, Router } from 'express'
import type { z } from 'zod'
import { setFairShareKey } from '../request-context.ts'
import { AppError, notFound, validationError } from './app-error.ts'
import { readCookie } from './cookies.ts'
import { type FilesOf, receiveUpload, requireFreeDisk, type Upload } from './uploads.ts'

export interface Actor {
  id: number
  role: Role
  sessionId: string
  /** Absent for a direct sign-in. */
  launchId?: string | null
  /** The LMS whose courses alone the session reaches (`reachableCourses`); absent: all. */
  lmsIssuer?: string | null
}

/** Also checks the CSRF token of a change; throws for a caller who is not signed in. */
export type Authenticate = (request: Request) => Promise<Actor>

export class RawReply {
  readonly send: (response: Response) => Promise<void> | void
  constructor(send: (response: Response) => Promise<void> | void) {
    this.send = send
  }
}

interface EndpointCall<E extends Endpoint> {
  params: ParamsOf<E>
  query: QueryOf<E>
  /** Empty for multipart endpoints: call `receive()` once the caller is known to be allowed. */
  body: BodyOf<E>
  /** Nothing is read from the connection before. */
  receive: () => Promise<{ body: BodyOf<E>; files: FilesOf<E> }>
  actor: E['access'] extends 'public' ? null : Actor
  /** For public calls whose reply depends on the caller. */
  bearer: string | null
  address: string
  requestId: string
  signal: AbortSignal
  cookie: (name: string) => string | null
  setCookie: (name: string, value: string, options: CookieOptions) => void
  setTotal: (total: number) => void
  setHeader: (name: string, value: string) => void
}

interface EndpointSettings {
  authenticate: Authenticate
  uploadFolder: string
  minFreeDiskBytes: () => number
  checkReplies: boolean
}

export function configureEndpoints(app: { locals: Record<string, unknown> }, settings: EndpointSettings): void {
  app.locals.handle = settings
}

export function bearerTokenOf(request: Request): string | null {
  const [scheme, token] = request.headers.authorization?.split(' ') ?? []
  return scheme?.toLowerCase() === 'bearer' && token ? token : null
}

function parseParams<E extends Endpoint>(endpoint: E, request: Request): ParamsOf<E> {
  const parsed = endpoint.params?.safeParse(request.params)
  // An invalid id gets the same answer as one that does not exist.
  if (parsed && !parsed.success) throw notFound()
  return parsed?.data as ParamsOf<E>
}

function parsePart(schema: z.ZodType | undefined, value: unknown, where: 'body' | 'query'): unknown {
  const parsed = schema?.safeParse(value)
  if (parsed && !parsed.success) throw validationError(parsed.error, where)
  return parsed?.data
}

/** Not recursive: JSON may be nested as deep as it is long. */
function hasNulCharacter(sent: unknown): boolean {
  const left = [sent]
  for (const value of left) {
    if (typeof value === 'string' && value.includes('\0')) return true
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) left.push(name, inner)
  }
  return false
}

/** The database refuses it in patterns, keys and names. */
function refuseNulCharacters(sent: unknown): void {
  if (hasNulCharacter(sent)) throw new AppError('validation_failed', 'Remove the character with the code 0.')
}

function assertBodyType(endpoint: Endpoint, request: Request): void {
  const hasBody = request.headers['content-length'] !== '0' && request.is('*/*') !== null
  if (!endpoint.body || !hasBody) return
  const type = endpoint.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  if (!request.is(type)) throw new AppError('unsupported_media_type', `Send this as ${type}.`)
}

function createDisconnectSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  const reason = () => new DOMException('The caller has gone away', 'AbortError')
  if (response.closed) gone.abort(reason())
  else
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(reason())
    })
  return gone.signal
}

export function handle<E extends Endpoint>(
  router: Router,
  endpoint: E,
  run: (call: EndpointCall<E>) => Promise<ReplyOf<E> | RawReply>,
): void {
  router[endpoint.method](endpoint.path, async (request: Request, response: Response) => {
    // For metrics: once it fails, express no longer knows the router's path.
    response.locals.route = request.baseUrl.toLowerCase() + endpoint.path
    const settings: EndpointSettings = request.app.locals.handle
    const actor = endpoint.access === 'public' ? null : await settings.authenticate(request)
    if (actor) setFairShareKey(`user ${actor.id}`)
    if (actor && endpoint.access !== 'public' && !endpoint.access.includes(actor.role)) {
      throw new AppError('auth_insufficient_permissions')
    }
    if (!endpoint.files) assertBodyType(endpoint, request)
    refuseNulCharacters(request.query)
    if (endpoint.body && !endpoint.files) refuseNulCharacters(request.body)

    let upload: Upload | undefined
    const call = {
      params: parseParams(endpoint, request),
      query: parsePart(endpoint.query, request.query, 'query'),
      body: endpoint.files ? undefined : parsePart(endpoint.body, request.body, 'body'),
      receive: async () => {
        const { uploadFolder: folder, minFreeDiskBytes } = settings
        const requireRoom = (bytes: number) => requireFreeDisk(folder, minFreeDiskBytes(), bytes)
        await requireRoom(Number(request.headers['content-length'] ?? 0))
        const { files = {}, fileType } = endpoint
        upload = await receiveUpload(request, response, files, { folder, fileType, requireRoom })
        upload.throwIfRejected()
        refuseNulCharacters(upload.fields)
        return { body: parsePart(endpoint.body, upload.fields, 'body'), files: upload.files }
      },
      actor,
      bearer: bearerTokenOf(request),
      address: request.ip ?? '',
      requestId: response.locals.requestId,
      get signal() {
        return createDisconnectSignal(response)
      },
      cookie: (name: string) => readCookie(request, name),
      setCookie: (name: string, value: string, options: CookieOptions) => response.cookie(name, value, options),
      setTotal: (total: number) => response.setHeader('X-Total-Count', String(total)),
      setHeader: (name: string, value: string) => response.setHeader(name, value),
    } as unknown as EndpointCall<E> // The one place where the contract's types meet what its schemas have parsed.

    try {
      const { result, permissionAsked } = await runWithPermissionCheck(() => run(call))
      if (actor && !permissionAsked) throw new Error(`${endpoint.method} ${endpoint.path} asked no permission`)
      if (result instanceof RawReply) await result.send(response)
      else {
        if (settings.checkReplies) endpoint.reply.parse(result)
        response.status(endpoint.status ?? 200).json(result)
      }
    } finally {
      await upload?.discard()
    }
  })
}

export type Permission = 'yes' | 'forbidden' | 'hidden'
const permissionContext = new AsyncLocalStorage<{ permission: boolean }>()

/** @throws {AppError} 403 or 404 unless permitted */
export function allow(permission: Permission): void {
  const request = permissionContext.getStore()
  if (request) request.permission = true
  if (permission === 'hidden') throw notFound()
  if (permission === 'forbidden') throw new AppError('auth_insufficient_permissions')
}

/** A handler that did not check permission is a security hole, whatever it answered. */
export async function runWithPermissionCheck<T>(run: () => Promise<T>) {
  const request = { permission: false }
  const result = await permissionContext.run(request, run)
  return { result, permissionAsked: request.permission }
}
