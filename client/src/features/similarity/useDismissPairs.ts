import { dismissSimilarPairs, type SimilarityReport } from '@assay/shared/similarity.ts'
import { useState } from 'react'
import { messageOf } from '../../lib/api/api-error.ts'
import { useSend } from '../../lib/api/api-hooks.ts'

/** Dismisses pairs, or takes it back. */
export function useDismissPairs(assignmentId: number, changed: (report: SimilarityReport) => void) {
  const dismiss = useSend(dismissSimilarPairs)
  const [failure, setFailure] = useState<string | null>(null)

  /** Whether it was stored. */
  async function set(pair_ids: string[], dismissed: boolean): Promise<boolean> {
    setFailure(null)
    try {
      changed(await dismiss.send({ params: { assignmentId }, body: { pair_ids, dismissed } }))
      return true
    } catch (error) {
      setFailure(messageOf(error, 'This was not saved. Please try again.'))
      return false
    }
  }

  return { set, failure, sending: dismiss.sending }
}
