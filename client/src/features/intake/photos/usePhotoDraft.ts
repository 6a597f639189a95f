import {
  addPhoto,
  changePhoto,
  deletePhotoDraft,
  getPhotoDraft,
  orderPhotos,
  type PhotoCorners,
  type PhotoDraft,
  type PhotoTurns,
  removePhoto,
} from '@assay/shared/photo-drafts.ts'
import { HTTP_RETRIES } from '@assay/shared/rules/limits.ts'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../../lib/api/api-error.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { retryDelay, retryTimer } from '../../../lib/api/http-client.ts'
import { upload } from '../../../lib/api/upload.ts'
import { useSendQueue } from '../../../lib/hooks/useSendQueue.ts'
import { randomUuid } from '../../../lib/random-uuid.ts'
import { toast } from '../../../lib/toast.ts'

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

export interface QueuedPhoto {
  key: string
  file: File
  /** `offline` is retried by itself; `refused`: the server will not have it as it is. */
  state: 'waiting' | 'sending' | 'offline' | 'refused'
  /** Sent so far, 0..1. */
  share: number
  reason: string | null
}

/** One by one, so that on a slow line each arrives as soon as may be; goes on after a lost connection. */
export function usePhotoQueue(assignmentId: number, added: (draft: PhotoDraft) => void) {
  const [queue, setQueue] = useState<QueuedPhoto[]>([])
  const [attempt, setAttempt] = useState(0)
  const next = queue.find(({ state }) => state !== 'refused')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a photo is sent once for each attempt
  useEffect(() => {
    if (!next) return
    const { key, file } = next
    const gone = new AbortController()
    const { signal } = gone
    const set = (change: Partial<QueuedPhoto>) => {
      if (!signal.aborted) setQueue((now) => now.map((one) => (one.key === key ? { ...one, ...change } : one)))
    }
    async function send() {
      set({ state: 'sending', share: 0, reason: null })
      try {
        const input = { params: { assignmentId, key }, files: { photo: file }, signal }
        const draft = await upload(addPhoto, input, ({ sent, total }) => set({ share: total > 0 ? sent / total : 0 }))
        if (signal.aborted) return
        added(draft)
        setAttempt(0)
        setQueue((now) => now.filter((one) => one.key !== key))
      } catch (cause) {
        if (signal.aborted) return
        if (!mayHelp(cause, attempt)) return set({ state: 'refused', reason: reasonOf(cause, file) })
        set({ state: 'offline' })
        await Promise.race([retryTimer.wait(retryDelay(attempt)), comesOnline(signal)])
        if (!signal.aborted) setAttempt((count) => count + 1)
      }
    }
    void send()
    return () => gone.abort()
  }, [assignmentId, next?.key, attempt])

  return {
    queue,
    send: (files: readonly File[]) =>
      setQueue((now) => [
        ...now,
        ...files.map((file) => ({ key: randomUuid(), file, state: 'waiting' as const, share: 0, reason: null })),
      ]),
    sendAgain(key: string) {
      setAttempt(0)
      setQueue((now) => now.map((one) => (one.key === key ? { ...one, state: 'waiting' as const, reason: null } : one)))
    },
    takeBack: (key: string) => setQueue((now) => now.filter((one) => one.key !== key)),
    clearQueue: () => setQueue([]),
  }
}

/** A lost connection is retried forever, a server in trouble a few times. */
function mayHelp(cause: unknown, attempt: number): boolean {
  if (!(cause instanceof ApiError) || cause.code === 'storage_full') return false
  if (cause.status === 0) return true
  return (cause.status >= 500 || cause.status === 408) && attempt < HTTP_RETRIES
}

function reasonOf(cause: unknown, file: File): string {
  const reason = messageOf(cause, 'This photo could not be sent.')
  return reason.replace('Some files were rejected: ', '').replace(`${file.name}: `, '')
}

const comesOnline = (signal: AbortSignal) =>
  new Promise<void>((resolve) => window.addEventListener('online', () => resolve(), { once: true, signal }))
