import { MAX_FILES_PER_UPLOAD } from '@assay/shared/rules/limits.ts'
import { listSubmissions, uploadSubmission, uploadSubmissions } from '@assay/shared/submissions.ts'
import { useRef, useState } from 'react'
import { useSend } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { UploadProgress } from '../../../lib/api/upload.ts'
import { sentFractions } from '../../../lib/files/pdf-validation.ts'
import { useRejectedFiles } from '../../../lib/files/rejected-files.ts'

const totalBytes = (files: readonly File[]) => files.reduce((sum, { size }) => sum + size, 0)

export interface UploadOutcome {
  /** Files sent, and how many of them are new papers. */
  sent: number
  newCount: number
  /** Ended by Stop, or by what `error` says. */
  complete: boolean
}

/**
 * Sends chosen papers, as many at once as a call takes. Of one call all are stored, or none; stored files are deselected, so
 * that after a stop or a refusal the rest can be sent on.
 */
export function useUpload(assignmentId: number, files: readonly File[], select: (left: File[]) => void) {
  const one = useSend(uploadSubmission)
  const many = useSend(uploadSubmissions)
  const refusals = useRejectedFiles(files)
  const [sending, setSending] = useState(false)
  const [before, setBefore] = useState(0)
  const [total, setTotal] = useState(0)
  const stopper = useRef<AbortController>(undefined)
  const use = files.length === 1 ? one : many
  const batch = files.slice(0, MAX_FILES_PER_UPLOAD)

  async function send(batch: File[], byHand: boolean, signal: AbortSignal) {
    const params = { assignmentId }
    const [single] = batch
    return batch.length === 1 && single
      ? [await one.send({ params, body: { is_handwritten: byHand }, files: { file: single }, signal })]
      : await many.send({
          params,
          body: { are_handwritten: batch.map(() => byHand) },
          files: { files: batch },
          signal,
        })
  }

  /** The newest paper there is: what comes back with a higher number is new. */
  async function newestId(): Promise<number> {
    const query = { direction: 'desc' as const, limit: 1 }
    const { body } = await callApi(listSubmissions, { params: { assignmentId }, query })
    return Math.max(0, ...body.map(({ id }) => id))
  }

  async function start(byHand: boolean): Promise<UploadOutcome> {
    const stop = new AbortController()
    stopper.current = stop
    const uploaded: UploadOutcome = { sent: 0, newCount: 0, complete: false }
    let left = [...files]
    setSending(true)
    setBefore(0)
    setTotal(totalBytes(files))
    try {
      const newest = await newestId()
      while (left.length > 0) {
        const batch = left.slice(0, MAX_FILES_PER_UPLOAD)
        const rows = await send(batch, byHand, stop.signal).catch((cause: unknown) => {
          refusals.remember(cause, { file: batch, files: batch })
          throw cause
        })
        left = left.slice(batch.length)
        uploaded.sent += batch.length
        uploaded.newCount += new Set(rows.map(({ id }) => id).filter((id) => id > newest)).size
        setBefore((sum) => sum + totalBytes(batch))
        select(left)
      }
      uploaded.complete = true
    } catch {
      // Shown below the files, which stay chosen; a stop needs no explanation.
      if (stop.signal.aborted) clear()
    } finally {
      setSending(false)
    }
    return uploaded
  }

  function clear() {
    one.clear()
    many.clear()
  }

  const { progress } = use
  const shares = progress
    ? sentFractions(
        batch.map(({ size }) => size),
        progress.sent,
        progress.total,
      )
    : []
  return {
    start,
    stop: () => stopper.current?.abort(),
    clear,
    sending,
    stopped: () => stopper.current?.signal.aborted ?? false,
    error: use.error,
    refusals,
    progress: overallProgress(progress, before, total),
    /** How much of a file is on its way, 0..1. */
    shareOf: (index: number) => (sending ? (shares[index] ?? 0) : null),
  }
}

/** Of all calls together; the forms' own wrapping is too little to count. */
function overallProgress(now: UploadProgress | null, before: number, total: number): UploadProgress | null {
  if (!now || before === 0) return now
  return { sent: Math.min(total, before + now.sent), total }
}
