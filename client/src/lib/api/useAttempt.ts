import { useState } from 'react'
import { messageOf } from './api-error.ts'

/** `failure`: the server's words, or `otherwise` where it had none. */
export function useAttempt(otherwise: string) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  async function attempt(action: () => Promise<unknown>): Promise<boolean> {
    setBusy(true)
    setFailure(null)
    try {
      await action()
      return true
    } catch (error) {
      setFailure(messageOf(error, otherwise))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { attempt, busy, failure, forget: () => setFailure(null) }
}
