import {
  changePhoto,
  deletePhotoDraft,
  getPhotoDraft,
  orderPhotos,
  type PhotoCorners,
  type PhotoDraft,
  type PhotoTurns,
  removePhoto,
} from '@assay/shared/photo-drafts.ts'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet } from '../../lib/api/api-hooks.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { useSendQueue } from '../../lib/hooks/useSendQueue.ts'
import { toast } from '../../lib/toast.ts'
import { usePhotoQueue } from './usePhotoQueue.ts'

export type PhotoDraftState = ReturnType<typeof usePhotoDraft>

export function usePhotoDraft(assignmentId: number) {
  const params = { assignmentId }
  const { data: draft, patch, reload } = useGet(getPhotoDraft, params)
  /** Also between a reply and the next render. */
  const latest = useRef(draft)
  useLayoutEffect(() => {
    latest.current = draft
  }, [draft])
  const take = useCallback(
    (next: PhotoDraft) => {
      const now = latest.current
      // Replies may overtake each other.
      if (now && next.id === now.id && next.revision < now.revision) return
      latest.current = next
      patch(() => next)
    },
    [patch],
  )
  const queue = usePhotoQueue(assignmentId, take)
  const [busyKeys, setBusyKeys] = useState<string[]>([])
  const changes = useSendQueue()

  const change = (make: () => Promise<{ body: PhotoDraft }>): Promise<void> =>
    changes.add(async () => take((await make()).body))

  const tell = (cause: unknown) => {
    toast.error(messageOf(cause, 'This was not saved. Please try again.'))
    void reload()
  }

  /** @throws {ApiError} */
  async function straighten(key: string, body: { corners: PhotoCorners | null; turns: PhotoTurns }) {
    setBusyKeys((keys) => [...keys, key])
    try {
      await change(() => callApi(changePhoto, { params: { ...params, key }, body }))
    } finally {
      setBusyKeys((keys) => keys.filter((one) => one !== key))
    }
  }

  return {
    assignmentId,
    draft,
    pages: draft?.pages ?? [],
    ...queue,
    busyKeys,
    reload,
    straighten,
    turn: (key: string, corners: PhotoCorners | null, turns: PhotoTurns) =>
      straighten(key, { corners, turns }).catch(tell),
    move(key: string, by: number) {
      const keys = (draft?.pages ?? []).map((page) => page.key)
      const from = keys.indexOf(key)
      const ordered = keys.toSpliced(from, 1).toSpliced(from + by, 0, key)
      patch((now) => ({ ...now, pages: ordered.flatMap((one) => now.pages.find((page) => page.key === one) ?? []) }))
      return change(() => callApi(orderPhotos, { params, body: { keys: ordered } })).catch(tell)
    },
    remove(key: string) {
      patch((now) => ({ ...now, pages: now.pages.filter((page) => page.key !== key) }))
      return change(() => callApi(removePhoto, { params: { ...params, key } })).catch(tell)
    },
    async removeAll() {
      queue.clearQueue()
      await change(() => callApi(deletePhotoDraft, { params }))
    },
    async settled(): Promise<PhotoDraft | undefined> {
      await changes.settle()
      return latest.current
    },
  }
}
