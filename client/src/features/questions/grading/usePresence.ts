import { type ActiveGrader, announceGrading } from '@assay/shared/questions.ts'
import { useEffect, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'

const REPEAT_MS = 20_000

/** Tells co-graders that the question is open here, and says who else has it open; `first` until the server has answered. */
export function usePresence(assignmentId: number, questionId: string, first: ActiveGrader[]): ActiveGrader[] {
  const [graders, setGraders] = useState<ActiveGrader[] | null>(null)
  useEffect(() => {
    let over = false
    const params = { assignmentId, questionId }
    async function tell() {
      try {
        const { body } = await callApi(announceGrading, { params, body: { open: true } })
        if (!over) setGraders(body.graders)
      } catch {
        // The next one says it.
      }
    }
    void tell()
    const timer = setInterval(() => void tell(), REPEAT_MS)
    return () => {
      over = true
      clearInterval(timer)
      void callApi(announceGrading, { params, body: { open: false } }).catch(() => undefined)
    }
  }, [assignmentId, questionId])
  return graders ?? first
}
