import { addPhoto, type PhotoDraft } from '@assay/shared/photo-drafts.ts'
import { HTTP_RETRIES } from '@assay/shared/rules/limits.ts'
import { useEffect, useState } from 'react'
import { ApiError, messageOf } from '../../lib/api/api-error.ts'
import { retryDelay, retryTimer } from '../../lib/api/http-client.ts'
import { upload } from '../../lib/api/upload.ts'
import { randomUuid } from '../../lib/random-uuid.ts'

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

  // biome-ignore lint/correctness/useExhaustiveDependencies: a photo is sent once for each attempt, not again when its progress is shown
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
