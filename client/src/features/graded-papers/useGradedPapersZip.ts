import { exportGradedPapers } from '@assay/shared/graded-papers.ts'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { fetchFileInPieces } from '../../lib/api/call-api.ts'
import { saveBlob } from '../../lib/files/save-blob.ts'
import { toast } from '../../lib/toast.ts'

export type GradedPapersZip = ReturnType<typeof useGradedPapersZip>

export function useGradedPapersZip(assignmentId: number) {
  const [progress, setProgress] = useState<{ done: number; total: number | null } | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const mine = new AbortController()
    running.current = mine
    setProgress({ done: 0, total: null })
    const count = createZipEntryCounter()
    try {
      const file = await fetchFileInPieces(
        exportGradedPapers,
        { params: { assignmentId }, signal: mine.signal, retry: false },
        (piece, total) => setProgress({ done: count(piece), total }),
      )
      saveBlob(file, `assignment_${assignmentId}_graded_papers.zip`)
    } catch (error) {
      if (!mine.signal.aborted)
        toast.error(messageOf(error, 'The graded papers could not be exported. Please try again.'))
    } finally {
      running.current = null
      setProgress(null)
    }
  }
  return { progress, start, cancel: () => running.current?.abort() }
}

/** Each file in a ZIP begins with these bytes. */
const SIGNATURE = [0x50, 0x4b, 0x03, 0x04]

/** Counts a ZIP's files for progress only, as a file may hold the same four bytes. */
export function createZipEntryCounter(): (piece: Uint8Array) => number {
  let count = 0
  let matched = 0
  return (piece) => {
    for (const byte of piece) {
      matched = byte === SIGNATURE[matched] ? matched + 1 : byte === SIGNATURE[0] ? 1 : 0
      if (matched === SIGNATURE.length) {
        count += 1
        matched = 0
      }
    }
    return count
  }
}
