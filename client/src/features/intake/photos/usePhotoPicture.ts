import { getPhotoPicture, type PhotoPage } from '@assay/shared/photo-drafts.ts'
import { usePicture } from '../../../lib/api/usePicture.ts'

export function usePhotoPicture(assignmentId: number, { key, version }: PhotoPage, of: 'sheet' | 'photo') {
  // The photo stays the same however it is cropped.
  const input = { params: { assignmentId, key }, query: { of, ...(of === 'sheet' && { version }) } }
  return usePicture(getPhotoPicture, input, { revalidateOnFocus: false, revalidateIfStale: false })
}
