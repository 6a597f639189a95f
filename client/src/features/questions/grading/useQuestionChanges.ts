import {
  type CriterionPoints,
  type DecisionResult,
  decideAnswers,
  groupAnswersTogether,
  type QuestionAnswer,
  type QuestionToGrade,
  type UndoableChange,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { plural } from '../../../lib/format.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { decidedAfter, type Given, groupTogether } from './answer-groups.ts'
import { conflictSentences, decisionInWords } from './grading-messages.ts'

/** Something that was not done as asked, and what can be done about it. */
export interface Problem {
  id: number
  tone: 'warn' | 'bad'
  /** Which answers it is about. */
  title?: string
  words: string[]
  solve?: { label: string; run: () => void }
}

type Points = ReadonlyMap<number, CriterionPoints | null>

interface Options {
  params: { assignmentId: number; questionId: string }
  loaded: QueryResult<QuestionToGrade>
  /** Some answers have changed back: they should be seen. */
  onUndone: (submissionIds: number[]) => void
}

export interface QuestionChanges {
  /** The answers as decided, with what is still being sent. */
  answers: QuestionAnswer[]
  /** Sends a decision, and shows it at once; resolves when the server has it, or false when it has not. */
  decide: (answers: readonly QuestionAnswer[], given: Given) => Promise<boolean>
  /** Makes some answers a group of their own; resolves with its id, or null. */
  group: (submissionIds: readonly number[]) => Promise<string | null>
  undo: () => void
  problems: Problem[]
  dismiss: (id: number) => void
  /** Whether anything is on its way to the server. */
  isSending: () => boolean
  /** Whether a change was made by this screen. */
  isOwn: (changeId: number | null) => boolean
}

/**
 * Decisions and groupings of one question. They are sent one after another, in the order they were made, so that what is undone is what was
 * done last; what could not be stored is taken back and said.
 */
export function useQuestionChanges({ params, loaded, onUndone }: Options): QuestionChanges {
  const { data, patch, reload } = loaded
  const announce = useAnnounce()
  const user = useUser()
  const me = user.full_name || user.username
  const [pending, setPending] = useState<{ id: number; points: Points }[]>([])
  const [problems, setProblems] = useState<Problem[]>([])
  const lastId = useRef(0)
  const sending = useRef(0)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const ownChanges = useRef(new Set<number>())
  const undoable = useRef<UndoableChange | null>(null)
  useEffect(() => {
    if (sending.current === 0 && data) undoable.current = data.undo
  }, [data])

  const answers = useMemo(
    () => pending.reduce((all, { points }) => withPoints(all, points, me), data?.answers ?? []),
    [data?.answers, pending, me],
  )

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    sending.current++
    const done = queue.current.then(work).finally(() => sending.current--)
    queue.current = done.catch(() => undefined)
    return done
  }

  function report(problem: Omit<Problem, 'id'>) {
    const id = ++lastId.current
    setProblems((all) => [...all, { id, ...problem }])
  }
  const dismiss = (id: number) => setProblems((all) => all.filter((one) => one.id !== id))

  function setUndoable(change: UndoableChange | null) {
    undoable.current = change
    patch((now) => ({ ...now, undo: change }))
  }
  function made(id: number, kind: UndoableChange['kind'], count: number) {
    ownChanges.current.add(id)
    setUndoable({ id, kind, answers: count, at: new Date().toISOString() })
  }

  function decide(chosen: readonly QuestionAnswer[], given: Given): Promise<boolean> {
    const id = ++lastId.current
    const points = new Map(chosen.map((answer) => [answer.submission_id, decidedAfter(answer, given)]))
    setPending((all) => [...all, { id, points }])
    if (data) announce(decisionInWords(chosen.length, given, data.question))
    const seen = chosen.map(({ submission_id, decided }) => ({ submission_id, decided }))
    return enqueue(async () => {
      try {
        const { body } = await callApi(decideAnswers, { params, body: { answers: seen, points: given } })
        const changed = new Set(body.changed)
        patch((now) => ({ ...now, answers: afterDecision(now.answers, changed, points, body, me) }))
        if (body.change_id !== null) made(body.change_id, 'decision', body.changed.length)
        reportLeftAlone(body, chosen, given)
        return true
      } catch (error) {
        report({
          tone: 'bad',
          ...titleOf(chosen),
          words: [
            `The points for ${plural(chosen.length, 'answer')} were not saved and are taken back. ${messageOf(error, 'Please try again.')}`,
          ],
          solve: { label: 'Try again', run: () => void decide(chosen, given) },
        })
        return false
      } finally {
        setPending((all) => all.filter((one) => one.id !== id))
      }
    })
  }

  function reportLeftAlone(result: DecisionResult, chosen: readonly QuestionAnswer[], given: Given | undefined) {
    const { conflicts, unavailable } = result
    if (conflicts.length > 0) {
      const theirs = new Map(conflicts.map(({ submission_id, decided }) => [submission_id, decided]))
      const again = chosen.flatMap((answer) => {
        const decided = theirs.get(answer.submission_id)
        return decided === undefined ? [] : [{ ...answer, decided }]
      })
      report({
        tone: 'warn',
        ...titleOf(again),
        words: conflictSentences(result),
        ...(given === undefined ? {} : { solve: { label: 'Overwrite', run: () => void decide(again, given) } }),
      })
    }
    if (unavailable.length > 0)
      report({
        tone: 'warn',
        words: [
          `${plural(unavailable.length, 'answer')} could not be changed: the paper is being graded, was deleted, or was graded with another version of the rubric.`,
        ],
      })
  }

  function group(submissionIds: readonly number[]): Promise<string | null> {
    return enqueue(async () => {
      try {
        const { body } = await callApi(groupAnswersTogether, {
          params,
          body: { submission_ids: [...submissionIds] },
        })
        patch((now) => ({ ...now, groups: groupTogether(now.groups, submissionIds, body.group_id) }))
        made(body.change_id, 'grouping', submissionIds.length)
        announce(`${plural(submissionIds.length, 'answer')} in a group of their own`)
        return body.group_id
      } catch (error) {
        report({ tone: 'bad', words: [`The answers were not grouped. ${messageOf(error, 'Please try again.')}`] })
        return null
      }
    })
  }

  function undo() {
    void enqueue(async () => {
      const change = undoable.current
      if (!change) {
        announce('There is nothing to undo.')
        return
      }
      try {
        const { body } = await callApi(undoQuestionChange, { params: { ...params, changeId: change.id } })
        undoable.current = body.undo
        await reload()
        announce(
          `Undone: ${plural(body.changed.length, 'answer')} ${change.kind === 'decision' ? 'with the earlier points' : 'back in the earlier groups'}`,
        )
        onUndone(body.changed)
        reportLeftAlone(body, [], undefined)
      } catch (error) {
        report({ tone: 'bad', words: [messageOf(error, 'This could not be undone. Please try again.')] })
      }
    })
  }

  return {
    answers,
    decide,
    group,
    undo,
    problems,
    dismiss,
    isSending: () => sending.current > 0,
    isOwn: (changeId) => changeId !== null && ownChanges.current.has(changeId),
  }
}

/** By the words of the first; without, they are not told apart so. */
const titleOf = ([first]: readonly QuestionAnswer[]) => (first?.excerpt ? { title: `“${shorten(first.excerpt)}”` } : {})
const shorten = (text: string) => (text.length > 60 ? `${text.slice(0, 59).trimEnd()}…` : text)

const withPoints = (answers: QuestionAnswer[], points: Points, by: string): QuestionAnswer[] =>
  answers.map((answer) => {
    const decided = points.get(answer.submission_id)
    return decided === undefined ? answer : { ...answer, decided, decided_by: decided && by }
  })

/** With what the server says became of them. */
function afterDecision(
  answers: QuestionAnswer[],
  changed: ReadonlySet<number>,
  points: Points,
  { conflicts }: DecisionResult,
  by: string,
): QuestionAnswer[] {
  const theirs = new Map(conflicts.map((one) => [one.submission_id, one]))
  return answers.map((answer) => {
    const other = theirs.get(answer.submission_id)
    if (other) return { ...answer, decided: other.decided, decided_by: other.decided_by }
    const decided = points.get(answer.submission_id)
    if (decided === undefined || !changed.has(answer.submission_id)) return answer
    return { ...answer, decided, decided_by: decided && by }
  })
}
