import { useState } from 'react'
import { tryWithToast } from '../../lib/toast.ts'

export function useFileExport<T extends unknown[]>(save: (...choice: T) => Promise<void>, failed: string) {
  const [busy, setBusy] = useState(false)
  async function start(...choice: T) {
    setBusy(true)
    await tryWithToast(failed, () => save(...choice))
    setBusy(false)
  }
  return { busy, start }
}
