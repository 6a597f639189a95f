import { type ActiveGrader, announceGrading, type QuestionToGrade } from '@assay/shared/questions.ts'
import { useEffect, useRef, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { useLater } from '../../../lib/hooks/useLater.ts'
import { useQuestionEvents } from '../useQuestionEvents.ts'
import type { QuestionChanges } from './useQuestionChanges.ts'

/** What others did is shown soon; what was done here is shown already, and is asked for again in a pause. */
const OTHERS_MS = 600
const OWN_MS = 4000
/** While decisions are carried to other answers; later where there are many. */
const LEARNING_MS = 800

export function useLiveQuestion(
  { assignmentId, questionId }: { assignmentId: number; questionId: string },
  question: QuestionToGrade,
  { isOwn, isSending }: Pick<QuestionChanges, 'isOwn' | 'isSending'>,
  reload: () => Promise<unknown>,
): void {
  const heard = useRef(new Set<number | null>())
  const refresh = useLater(() => {
    // Whose change it was is known when the server has answered; and what is on its way would be missing.
    if (isSending()) {
      refresh(OTHERS_MS)
      return
    }
    const onlyOwn = heard.current.size > 0 && [...heard.current].every(isOwn)
    heard.current.clear()
    if (onlyOwn) refreshOwn(OWN_MS, true)
    else void reload().catch(() => undefined)
  })
  const { learning } = question
  const learningMs = Math.min(OWN_MS, LEARNING_MS + question.answers.length)
  const isLearning = useRef(learning)
  isLearning.current = learning
  const refreshLearnt = useLater(async () => {
    if (!isSending()) await reload().catch(() => undefined)
    if (isLearning.current) refreshLearnt(learningMs)
  })
  const refreshOwn = useLater(() => (isSending() ? refreshOwn(OWN_MS) : void reload().catch(() => undefined)))
  // That it ends without a change is told by no event.
  useEffect(() => {
    if (learning) refreshLearnt(learningMs)
  }, [learning, learningMs, refreshLearnt])
  useQuestionEvents(assignmentId, questionId, (changeId) => {
    heard.current.add(changeId)
    refresh(OTHERS_MS)
  })
}

const REPEAT_MS = 20_000

/** `first` holds until the server has answered. */
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
