import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { useEffect, useState } from 'react'
import useSWR, { type SWRConfiguration } from 'swr'
import type { z } from 'zod'
import { type CallInput, fetchFile } from './call-api.ts'
import { urlFor } from './http-client.ts'

interface PictureOptions extends Pick<SWRConfiguration<Blob>, 'revalidateOnFocus' | 'revalidateIfStale'> {
  /** Nothing is requested before. */
  seen?: boolean
}

export function usePicture<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
  { seen = true, ...options }: PictureOptions = {},
) {
  const key = seen ? urlFor(endpoint, input.params, input.query) : null
  const { data, error, mutate } = useSWR<Blob, unknown>(key, () => fetchFile(endpoint, input), options)
  return { url: useObjectUrl(data), error: data ? undefined : error, retry: () => void mutate() }
}

export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    // jsdom has none.
    if (!file || !URL.createObjectURL) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
