import { z } from 'zod'
import { idsIn } from '#path-ids'
import { PlannedTime } from '../rules/dates.ts'

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

const teachingRoles = ['instructor', 'admin'] as const
export const allRoles = ['student', 'instructor', 'admin'] as const

/** What the caller may see is checked in the handler. */
export type Access = 'public' | readonly (typeof allRoles)[number][]

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface EndpointDetails<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  summary: string
  /** Default: teachers and administrators. */
  access?: Access
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
  access: Access
  /** Below `/api/v1`, parameters as `:name`. */
  path: string
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
  const A extends Access = typeof teachingRoles,
  P extends z.ZodType = z.ZodType<IdsIn<Path>>,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodVoid,
  const F extends FileFields = Record<never, never>,
>(
  method: Method,
  path: Path,
  details: EndpointDetails<P, Q, B, R> & { access?: A; files?: F },
): Endpoint<P, Q, B, R> & { access: A; files?: F } {
  return { method, path, params: idsIn(path) as P | undefined, access: teachingRoles as Access as A, ...details }
}

export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never
export type ReplyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer R> ? z.output<R> : never

/** The server fills in defaults. */
export type QueryInput<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never
export type BodyInput<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never

/** `/courses/:courseId` and `{courseId: 7}` to `/courses/7`. */
export const fillPath = (path: string, params: Record<string, unknown> | undefined): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name] ?? '')))

/** In a query they arrive as text. */
export const Id = z.coerce.number().int().positive()

/** `1e0` and `0x1` would be further addresses of the same thing. */
const numberOfText = (sent: unknown) => (typeof sent === 'string' && /^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : sent)

/** Counts from 1. */
export const positionUpTo = (most: number) => z.preprocess(numberOfText, z.number().int().min(1).max(most))

export const BodyId = z.number().int().positive()

export const Timestamp = z.iso.datetime()

/** The total comes as `X-Total-Count`. */
export const Paging = z.object({
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
})

/** In a multipart form everything arrives as text. */
export const FormFlag = z
  .union([z.boolean(), z.string()])
  .transform((value) => value === true || value === 'true' || value === '1' || value === 'on')

export const FormFlags = z.union([FormFlag.transform((flag) => [flag]), z.array(FormFlag)]).default([])

export const OptionalFormId = z.union([z.literal('').transform(() => undefined), Id]).optional()

export const OptionalFormTime = z.union([z.literal('').transform(() => undefined), PlannedTime]).optional()
