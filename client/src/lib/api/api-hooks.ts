import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { useCallback, useRef, useState } from 'react'
import useSWR, { useSWRConfig } from 'swr'
import type { z } from 'zod'
import { saveBlob } from '../files/save-blob.ts'
import { API_BASE } from './api-base.ts'
import { type ApiError, asApiError, messageOf } from './api-error.ts'
import { type ApiResponse, type CallInput, callApi, fetchFile } from './call-api.ts'
import { urlFor } from './http-client.ts'
import { type UploadProgress, upload } from './upload.ts'

type AnySchema = z.ZodType

export interface QueryResult<T> {
  data: T | undefined
  total: number | null
  error: ApiError | undefined
  loading: boolean
  refreshing: boolean
  /** With `keepPreviousData`: what is shown was asked for before, and what is asked for now has not come. */
  isPrevious: boolean
  /** Asks again; says whether a good answer came. */
  reload: () => Promise<boolean>
  /** Changes what is shown, without asking the server. */
  patch: (change: (data: T) => T) => void
}

interface GetOptions<T> {
  /** In ms; 0 never. */
  refreshIntervalMs?: number | ((data: T | undefined) => number)
  enabled?: boolean
  retry?: boolean
  /** As from page to page of a list. */
  keepPreviousData?: boolean
}

/** `useGet(getSubmission, { assignmentId, submissionId })` */
export function useGet<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  params?: z.output<P>,
  query?: Partial<z.output<Q>>,
  options: GetOptions<z.output<R>> = {},
): QueryResult<z.output<R>> {
  const key = options.enabled === false ? null : urlFor(endpoint, params, query)
  return useQuery(key, () => callWith(endpoint, params, query, options.retry), options)
}

/** Every row of a list, page by page. */
export function useGetAll<P extends AnySchema, Q extends AnySchema, B extends AnySchema, T>(
  endpoint: Endpoint<P, Q, B, z.ZodType<T[]>>,
  params?: z.output<P>,
  options: GetOptions<T[]> = {},
): QueryResult<T[]> {
  const key = options.enabled === false ? null : `${urlFor(endpoint, params)}#all`
  return useQuery(key, () => fetchAllPages(endpoint, params, options.retry), options)
}

const PAGE_SIZE = 500

async function fetchAllPages<P extends AnySchema, Q extends AnySchema, B extends AnySchema, T>(
  endpoint: Endpoint<P, Q, B, z.ZodType<T[]>>,
  params: z.output<P> | undefined,
  retry: boolean | undefined,
): Promise<ApiResponse<T[]>> {
  const page = (skip: number) => callWith(endpoint, params, { skip, limit: PAGE_SIZE }, retry)
  const first = await page(0)
  const rows = first.body
  const total = first.total ?? rows.length
  while (rows.length < total) {
    const next = await page(rows.length)
    // Rows were deleted meanwhile.
    if (next.body.length === 0) break
    rows.push(...next.body)
  }
  return { body: rows, total: rows.length }
}

function callWith<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  params: unknown,
  query: unknown,
  retry = true,
): Promise<ApiResponse<z.output<R>>> {
  // A GET has no body, and the hooks' signatures check the rest.
  const loose: Endpoint<AnySchema, AnySchema, AnySchema, R> = endpoint
  return callApi(loose, { params, query: { ...Object(query) }, body: undefined, retry })
}

function useQuery<T>(
  key: string | null,
  fetcher: () => Promise<ApiResponse<T>>,
  { refreshIntervalMs = 0, keepPreviousData = false }: GetOptions<T>,
): QueryResult<T> {
  const { cache, mutate } = useSWRConfig()
  const known: ApiResponse<T> | undefined = key === null ? undefined : cache.get(key)?.data
  const refreshInterval = typeof refreshIntervalMs === 'number' ? refreshIntervalMs : refreshIntervalMs(known?.body)
  const swr = useSWR<ApiResponse<T>, ApiError>(
    key,
    () =>
      fetcher().catch((cause: unknown) => {
        throw asApiError(cause)
      }),
    { refreshInterval, keepPreviousData },
  )
  // Only while this key's data is shown: a reply may come after another page, paper or person is.
  const reload = useCallback(async () => {
    if (key === null || !cache.get(key)) return true
    // Does not reject: after a failure the old data stay beside the error.
    await mutate(key)
    return cache.get(key)?.error === undefined
  }, [mutate, cache, key])
  const patch = useCallback(
    (change: (data: T) => T) => {
      if (key === null || !cache.get(key)) return
      void mutate<ApiResponse<T>>(key, (now) => (now ? { ...now, body: change(now.body) } : now), { revalidate: false })
    },
    [mutate, cache, key],
  )
  return {
    data: swr.data?.body,
    total: swr.data?.total ?? null,
    error: swr.error,
    loading: swr.isLoading,
    refreshing: swr.isValidating,
    isPrevious: swr.data !== undefined && known === undefined,
    reload,
    patch,
  }
}

interface MutationResult<I, T> {
  /** @throws {ApiError} */
  send: (input: I) => Promise<T>
  /** Undefined where it fails, for a screen that shows `error`. */
  attempt: (input: I) => Promise<T | undefined>
  sending: boolean
  /** Of the last call; cleared when the next begins. */
  error: ApiError | null
  progress: UploadProgress | null
  clear: () => void
}

/** `const create = useSend(createCourse)`, then `await create.send({ body })` */
export function useSend<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
): MutationResult<CallInput<P, Q, B>, z.output<R>> {
  const [underWay, setUnderWay] = useState(0)
  const [error, setError] = useState<ApiError | null>(null)
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const latest = useRef(0)

  const send = useCallback(
    async (input: CallInput<P, Q, B>) => {
      const mine = ++latest.current
      setUnderWay((count) => count + 1)
      setError(null)
      setProgress(null)
      try {
        if (endpoint.files) return await upload(endpoint, input, setProgress)
        return (await callApi(endpoint, input)).body
      } catch (cause) {
        const failure = asApiError(cause)
        if (mine === latest.current) setError(failure)
        throw failure
      } finally {
        setUnderWay((count) => count - 1)
      }
    },
    [endpoint],
  )
  const attempt = useCallback((input: CallInput<P, Q, B>) => send(input).catch(() => undefined), [send])
  const clear = useCallback(() => setError(null), [])
  return { send, attempt, sending: underWay > 0, error, progress, clear }
}

/** Reloads what screens show of a path such as `/courses`. */
export function useRevalidate(): (...paths: string[]) => Promise<void> {
  const { mutate } = useSWRConfig()
  return useCallback(
    async (...paths: string[]) => {
      await mutate((key) => typeof key === 'string' && paths.some((path) => key.startsWith(API_BASE + path)))
    },
    [mutate],
  )
}

export async function downloadFile<P extends AnySchema, Q extends AnySchema, B extends AnySchema, R extends AnySchema>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
  name: string,
): Promise<void> {
  saveBlob(await fetchFile(endpoint, input), name)
}

/** `failure`: the server's words, or `otherwise` where it had none. */
export function useAttempt(otherwise: string) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    setFailure(null)
    try {
      await action()
      return true
    } catch (error) {
      setFailure(messageOf(error, otherwise))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { attempt, busy, failure }
}
