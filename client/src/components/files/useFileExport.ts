import { useState } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { toast } from '../../lib/toast.ts'

/** Saves a file of the server's. `failed` is said when that went wrong and the server gave no words. */
export function useFileExport(save: () => Promise<void>, failed: string) {
  const [busy, setBusy] = useState(false)
  async function start() {
    setBusy(true)
    try {
      await save()
    } catch (error) {
      toast.error(messageOf(error, failed))
    } finally {
      setBusy(false)
    }
  }
  return { busy, start }
}
