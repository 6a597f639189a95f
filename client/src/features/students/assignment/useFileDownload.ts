import { useState } from 'react'
import { messageOf } from '../../../lib/api/api-error.ts'
import { downloadFile } from '../../../lib/api/api-hooks.ts'

/** `failure` is shown beside the button. */
export function useFileDownload() {
  const [saving, setSaving] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const save: typeof downloadFile = async (...of) => {
    setSaving(true)
    setFailure(null)
    try {
      await downloadFile(...of)
    } catch (cause) {
      setFailure(messageOf(cause, 'The download failed. Please try again.'))
    } finally {
      setSaving(false)
    }
  }
  return { save, saving, failure }
}
