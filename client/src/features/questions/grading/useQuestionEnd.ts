import { listQuestions, type QuestionProgress, type QuestionToGrade } from '@assay/shared/questions.ts'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { questionPath, questionsPath } from '../question-path.ts'
import { type GroupOfAnswers, isDecided } from './answer-groups.ts'

/** Others may decide the rest meanwhile. */
const REFRESH_MS = 10_000

export interface QuestionEnd {
  decidedGroups: number
  allDecided: boolean
  /** The next question with something to decide; null where there is none, or it is not known yet. */
  next: QuestionProgress | null
  /** Nothing is left in any question. */
  allDone: boolean
  /** Where to go on: the next question, else the list of them. */
  address: string
  leave: () => void
}

/** How much of a question is decided, and once all is, what comes next. */
export function useQuestionEnd(
  assignmentId: number,
  { id, criteria }: QuestionToGrade['question'],
  groups: readonly GroupOfAnswers[],
): QuestionEnd {
  const navigate = useNavigate()
  const decidedGroups = useMemo(
    () => groups.filter(({ answers }) => answers.every((answer) => isDecided(answer, criteria))).length,
    [groups, criteria],
  )
  const allDecided = decidedGroups === groups.length
  const { data } = useGet(listQuestions, { assignmentId }, undefined, {
    enabled: allDecided,
    refreshIntervalMs: REFRESH_MS,
  })
  const at = data?.findIndex((question) => question.question_id === id) ?? -1
  const others = data ? [...data.slice(at + 1), ...data.slice(0, Math.max(0, at))] : []
  const next = others.find(({ decided, answers }) => decided < answers) ?? null
  const address = next ? questionPath(assignmentId, next.question_id) : questionsPath(assignmentId)
  const allDone = data !== undefined && next === null
  return { decidedGroups, allDecided, next, allDone, address, leave: () => navigate(address) }
}
