import { getCsrfToken, signIn } from '@assay/shared/auth.ts'
import {
  type BodyInput,
  type Endpoint,
  fillPath,
  type ParamsOf,
  type QueryInput,
  type ReplyOf,
} from '@assay/shared/endpoint.ts'
import type { ErrorReply } from '@assay/shared/errors.ts'

export interface Person {
  id: number
  username: string
  password: string
}

type Files = Record<string, { name: string; bytes: Buffer | string }[]>

export interface Request<E extends Endpoint> {
  params?: ParamsOf<E>
  query?: QueryInput<E>
  body?: BodyInput<E>
  files?: Files
  headers?: Record<string, string>
  /** Goes away before the reply has come. */
  signal?: AbortSignal
}

export interface Reply<E extends Endpoint> {
  status: number
  headers: Headers
  /** The reply; of a failed call the error, which `expect` looks at as it is. */
  body: ReplyOf<E> & Partial<ErrorReply>
  text: string
}

/** Someone's browser as far as calls go: signed in by password, with the CSRF token on every change. */
export class Caller {
  readonly #url: () => string
  readonly #person: Person | null
  /** As promises: two first calls at once are one browser's, and must not begin a session each. */
  #token: Promise<string | null> | null
  #csrf: Promise<string> | null = null

  constructor(url: () => string, person: Person | null, token: string | null = null) {
    this.#url = url
    this.#person = person
    this.#token = token || !person ? Promise.resolve(token) : null
  }

  token(): Promise<string | null> {
    this.#token ??= this.#logIn()
    return this.#token
  }

  async #logIn(): Promise<string | null> {
    if (!this.#person) return null
    const { username, password } = this.#person
    const reply = await this.#fetch(signIn, { body: { username, password } }, {})
    if (reply.status === 200) return reply.body.access_token
    // Who may not sign in now may later.
    this.#token = null
    throw new Error(`${username} could not sign in: ${reply.text}`)
  }

  async send<E extends Endpoint>(endpoint: E, request: Request<E> = {}): Promise<Reply<E>> {
    const headers: Record<string, string> = {}
    const token = endpoint.access === 'public' ? null : await this.token()
    if (token) headers.authorization = `Bearer ${token}`
    if (token && endpoint.method !== 'get') headers['x-csrf-token'] = await this.#csrfToken(token)
    return this.#fetch(endpoint, request, headers)
  }

  #csrfToken(token: string): Promise<string> {
    this.#csrf ??= this.#fetch(getCsrfToken, {}, { authorization: `Bearer ${token}` }).then(
      ({ body }) => body.csrf_token,
    )
    return this.#csrf
  }

  async #fetch<E extends Endpoint>(
    endpoint: E,
    { params, query, body, files, headers: more, signal }: Request<E>,
    headers: Record<string, string>,
  ): Promise<Reply<E>> {
    const url = new URL(`${this.#url()}/api/v1${fillPath(endpoint.path, params as Record<string, unknown>)}`)
    for (const [name, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
      url.searchParams.set(name, String(value))
    }
    const { type, content } = contentOf(endpoint, body, files)
    const response = await fetch(url, {
      method: endpoint.method.toUpperCase(),
      headers: { ...(type ? { 'content-type': type } : {}), ...headers, ...more },
      ...(content === undefined ? {} : { body: content }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.includes('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    }
  }
}

function contentOf(endpoint: Endpoint, body: unknown, files: Files | undefined) {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  if (endpoint.files) {
    const form = new FormData()
    for (const [name, value] of fields) for (const one of [value].flat()) form.append(name, String(one))
    for (const [name, list] of Object.entries(files ?? {})) {
      for (const file of list)
        form.append(name, new File([new Uint8Array(Buffer.from(file.bytes))], file.name), file.name)
    }
    return { type: null, content: form }
  }
  if (body === undefined) return { type: null, content: undefined }
  if (endpoint.bodyType === 'form') {
    const form = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]))
    return { type: 'application/x-www-form-urlencoded', content: form }
  }
  return { type: 'application/json', content: JSON.stringify(body) }
}

/** Calls by anyone: `api.as(student).send(getCourse, { params: { courseId } })`. */
export function createTestApi(server: { readonly running: { url: string } }) {
  const callers = new Map<number, Caller>()
  const url = () => server.running.url
  return {
    as(person: Person): Caller {
      const caller = callers.get(person.id) ?? new Caller(url, person)
      callers.set(person.id, caller)
      return caller
    },
    /** Someone who is not signed in. */
    nobody: new Caller(url, null),
    /** A new browser of a person, with a session of its own. */
    again: (person: Person) => new Caller(url, person),
    /** Whoever a token was made for. */
    withToken: (token: string) => new Caller(url, null, token),
  }
}

export type Api = ReturnType<typeof createTestApi>
