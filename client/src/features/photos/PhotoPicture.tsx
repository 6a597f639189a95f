import { getPhotoPicture, type PhotoPage } from '@assay/shared/photo-drafts.ts'
import useSWR from 'swr'
import { fetchFile } from '../../lib/api/call-api.ts'
import { urlFor } from '../../lib/api/http-client.ts'
import { useObjectUrl } from '../../lib/hooks/useObjectUrl.ts'

export function usePhotoPicture(assignmentId: number, { key, version }: PhotoPage, of: 'sheet' | 'photo') {
  // The photo stays the same however it is cropped.
  const input = { params: { assignmentId, key }, query: { of, ...(of === 'sheet' && { version }) } }
  const { data, error, mutate } = useSWR(
    urlFor(getPhotoPicture, input.params, input.query),
    () => fetchFile(getPhotoPicture, input),
    { revalidateOnFocus: false, revalidateIfStale: false },
  )
  return { url: useObjectUrl(data), failed: error !== undefined && data === undefined, retry: () => void mutate() }
}
