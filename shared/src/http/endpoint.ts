import type { z } from 'zod'
import { idsIn } from '#path-ids'
import type { Role } from '../users.ts'

export type FileFields = Record<string, 'one' | 'many'>

export type FileType = 'pdf' | 'csv' | 'picture' | 'class-scan'

type RawMediaType =
  | 'text/csv'
  | 'application/x-ndjson'
  | 'application/pdf'
  | 'application/zip'
  | 'image/png'
  | 'image/jpeg'
  | 'application/octet-stream'

/** What the caller may see is checked in the handler. */
export type Access = 'public' | readonly Role[]

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface EndpointDetails<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  summary: string
  access: Access
  status?: 200 | 201 | 202
  params?: P
  query?: Q
  body?: B
  /** Default: JSON. */
  bodyType?: 'json' | 'form'
  files?: FileFields
  /** Default: PDF. */
  fileType?: FileType
  reply: R
  raw?: RawMediaType
  /** The client's, in ms, where longer than usual. */
  timeoutMs?: number
  /** `X-Total-Count` is the number of all items. */
  hasTotalCount?: boolean
}

/** Describes one call, for the server's `handle`, the client's `useGet` and `useSend`, OpenAPI and the access test. */
export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> extends EndpointDetails<P, Q, B, R> {
  method: Method
  /** Below `/api/v1`, parameters as `:name`. */
  path: string
}

interface Checked<A extends Access, F extends FileFields> {
  access: A
  files?: F
}

type NameIn<Part extends string> = Part extends `:${infer Name}.png`
  ? Name
  : Part extends `:${infer Name}`
    ? Name
    : never
type NamesIn<Path extends string> = Path extends `${infer Part}/${infer Rest}`
  ? NameIn<Part> | NamesIn<Rest>
  : NameIn<Path>
type IdsIn<Path extends string> = [NamesIn<Path>] extends [never]
  ? undefined
  : { [Name in NamesIn<Path>]: Name extends 'questionId' ? string : number }

/** Parameters of the path are ids, unless `params` says otherwise. */
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<
  const Path extends string,
  const A extends Access,
  P extends z.ZodType = z.ZodType<IdsIn<Path>>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodVoid,
  const F extends FileFields = Record<never, never>,
>(
  method: Method,
  path: Path,
  details: EndpointDetails<P, Q, B, R> & Checked<A, F>,
): Endpoint<P, Q, B, R> & Checked<A, F> {
  return { method, path, params: idsIn(path) as P | undefined, ...details }
}

export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never
export type ReplyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never

/** The server fills in defaults. */
export type QueryInput<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never
export type BodyInput<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never

/** `/courses/:courseId` and `{courseId: 7}` to `/courses/7`. */
export function fillPath(path: string, params: Record<string, unknown> | undefined): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))
}
