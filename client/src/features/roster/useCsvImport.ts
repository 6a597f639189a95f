import { addStudentsFromCsv, type BulkRosterReply, previewRosterCsv, type RosterPreview } from '@assay/shared/roster.ts'
import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'
import { useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'

const FALLBACK = 'Failed to upload CSV file. Please check the format and try again.'

/** A roster file from its choice to its import: first the server says how it would read it, then it is sent again to be stored. */
export function useCsvImport(courseId: number) {
  const reading = useSend(previewRosterCsv)
  const importing = useSend(addStudentsFromCsv)
  const [file, setFile] = useState<File | null>(null)
  const [preview, setPreview] = useState<RosterPreview | null>(null)
  const [error, setError] = useState<string | null>(null)
  /** The latest question: an earlier answer that comes later is dropped. */
  const asked = useRef(0)

  async function read(chosen: File, meanings?: ColumnMeaning[]) {
    const question = ++asked.current
    setError(null)
    const body = meanings ? { columns: JSON.stringify(meanings) } : {}
    try {
      const read = await reading.send({ params: { courseId }, body, files: { file: chosen } })
      if (question === asked.current) setPreview(read)
    } catch (cause) {
      if (question === asked.current) setError(messageOf(cause, FALLBACK))
    }
  }

  return {
    file,
    preview,
    error,
    reading: reading.sending,
    importing: importing.sending,
    choose(chosen: File) {
      setFile(chosen)
      setPreview(null)
      void read(chosen)
    },
    retry() {
      if (file) void read(file)
    },
    clear() {
      asked.current++
      setFile(null)
      setPreview(null)
      setError(null)
    },
    setMeaning(index: number, meaning: ColumnMeaning) {
      if (!file || !preview) return
      // Each meaning is given once: the column that had it is not used any more.
      const columns = preview.columns.map((column) => ({
        ...column,
        meaning: column.index === index ? meaning : column.meaning === meaning ? ('unused' as const) : column.meaning,
      }))
      setPreview({ ...preview, columns })
      const meanings = columns.map((column) => column.meaning)
      void read(file, meanings)
    },
    async store(invite: 'yes' | 'no'): Promise<BulkRosterReply | null> {
      if (!file || !preview) return null
      setError(null)
      const columns = JSON.stringify(preview.columns.map(({ meaning }) => meaning))
      try {
        return await importing.send({ params: { courseId }, body: { columns, invite }, files: { file } })
      } catch (cause) {
        setError(messageOf(cause, FALLBACK))
        return null
      }
    },
  }
}
