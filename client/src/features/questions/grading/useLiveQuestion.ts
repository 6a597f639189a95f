import { type ActiveGrader, announceGrading, type QuestionToGrade } from '@assay/shared/questions.ts'
import type { ServerEvents } from '@assay/shared/realtime.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { useAssignmentEvents } from '../../../lib/api/realtime.ts'
import { useLater } from '../../../lib/hooks/useLater.ts'
import type { QuestionChanges } from './useQuestionChanges.ts'

/** Others' changes are shown soon; own ones are shown already, and confirmed in a pause. */
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
    // Until the server answers, whose change it was is unknown, and a reload would miss it.
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
  // No event tells that learning ended without a change.
  useEffect(() => {
    if (learning) refreshLearnt(learningMs)
  }, [learning, learningMs, refreshLearnt])
  useQuestionEvents(assignmentId, questionId, (changeId) => {
    heard.current.add(changeId)
    refresh(OTHERS_MS)
  })
}

const REPEAT_MS = 20_000

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
        // The next one is sent soon.
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

/** Calls `changed` after each connection too: events may have been missed. */
export function useQuestionEvents(
  assignmentId: number,
  questionId: string | undefined,
  changed: (changeId: number | null) => void,
): void {
  const latest = useRef(changed)
  latest.current = changed
  const handlers = useMemo(
    (): Partial<ServerEvents> => ({
      question_changed(event) {
        if (event.assignment_id !== assignmentId) return
        if (questionId === undefined || event.question_id === questionId) latest.current(event.change_id)
      },
      run_changed(run) {
        if (run.assignment_id === assignmentId && run.status === 'completed') latest.current(null)
      },
    }),
    [assignmentId, questionId],
  )
  const onReturn = useCallback(() => latest.current(null), [])
  useAssignmentEvents(assignmentId, handlers, onReturn)
}
