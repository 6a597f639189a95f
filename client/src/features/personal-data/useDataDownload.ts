import type { Endpoint } from '@assay/shared/http/endpoint.ts'
import { useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { messageOf } from '../../lib/api/api-error.ts'
import { type CallInput, fetchFileInPieces } from '../../lib/api/call-api.ts'
import { saveBlob } from '../../lib/files/save-blob.ts'

export interface DataDownload {
  bytes: number | null
  saved: boolean
  failure: string | null
  start: () => Promise<void>
  cancel: () => void
}

export function useDataDownload<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  endpoint: Endpoint<P, Q, B, R>,
  input: CallInput<P, Q, B>,
  userId: number,
): DataDownload {
  const [bytes, setBytes] = useState<number | null>(null)
  const [saved, setSaved] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    const mine = new AbortController()
    running.current = mine
    setBytes(0)
    setSaved(false)
    setFailure(null)
    let sum = 0
    try {
      const file = await fetchFileInPieces(endpoint, { ...input, signal: mine.signal, retry: false }, (piece) => {
        sum += piece.length
        setBytes(sum)
      })
      saveBlob(file, `assay_data_${userId}.zip`)
      setSaved(true)
    } catch (error) {
      if (!mine.signal.aborted) setFailure(messageOf(error, 'The download failed. Please try again.'))
    } finally {
      running.current = null
      setBytes(null)
    }
  }
  return { bytes, saved, failure, start, cancel: () => running.current?.abort() }
}
