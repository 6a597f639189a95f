import { useState } from 'react'
import { saveFile } from '../../lib/api.ts'
import { messageOf } from '../../lib/api-error.ts'

/** Fetches a file and keeps what went wrong, to be said beside the button. */
export function useSaveFile() {
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const save: typeof saveFile = async (...of) => {
    setSaving(true)
    setFailure(null)
    try {
      await saveFile(...of)
    } catch (cause) {
      setFailure(messageOf(cause, 'The download failed. Please try again.'))
    } finally {
      setSaving(false)
    }
  }
  return { save, saving, failure }
}
