import {
  type DecisionResult,
  decideAnswers,
  groupAnswersTogether,
  type QuestionAnswer,
  type QuestionToGrade,
  type UndoableChange,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { applyRubricItem, type RubricItem } from '@assay/shared/rubric-items.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAnnounce } from '../../../components/feedback/Announcer.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { plural } from '../../../lib/format.ts'
import { useSendQueue } from '../../../lib/hooks/useSendQueue.ts'
import { useUser } from '../../../lib/session/session.tsx'
import { toast } from '../../../lib/toast.ts'
import { conflictSentences, decisionInWords, type Given, groupTogether } from './answer-groups.ts'
import { type AnswerDecision, afterItem, afterPoints } from './items/useItemPanel.ts'
import type { GroupView } from './useGroupView.ts'

export interface Problem {
  id: number
  tone: 'warn' | 'bad'
  title?: string
  words: string
  solve?: { label: string; run: () => void }
}

type Decisions = ReadonlyMap<number, AnswerDecision>

interface Decision {
  words: string
  after: (answer: QuestionAnswer) => AnswerDecision
  call: () => Promise<DecisionResult>
  again: (answers: readonly QuestionAnswer[]) => void
}

interface Options {
  params: { assignmentId: number; questionId: string }
  loaded: QueryResult<QuestionToGrade>
  items: readonly RubricItem[]
  onUndone: (submissionIds: number[]) => void
}

export type QuestionChanges = ReturnType<typeof useQuestionChanges>

/** Sent in order, so that undo takes back the last; what could not be stored is reverted and told. */
export function useQuestionChanges({ params, loaded, items, onUndone }: Options) {
  const { data, patch, reload } = loaded
  const announce = useAnnounce()
  const user = useUser()
  const me = user.full_name || user.username
  const [pending, setPending] = useState<{ id: number; decisions: Decisions }[]>([])
  const [problems, setProblems] = useState<Problem[]>([])
  const lastId = useRef(0)
  const queue = useSendQueue()
  const ownChanges = useRef(new Set<number>())
  const undoable = useRef<UndoableChange | null>(null)
  useEffect(() => {
    if (!queue.isSending && data) undoable.current = data.undo
  }, [data, queue])

  const answers = useMemo(
    () => pending.reduce((all, { decisions }) => withDecisions(all, decisions, me), data?.answers ?? []),
    [data?.answers, pending, me],
  )

  function report(problem: Omit<Problem, 'id'>) {
    if (queue.isScreenLeft) {
      toast.error([problem.title, problem.words].filter(Boolean).join(' '))
      return
    }
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

  /** Shows it at once; resolves to whether the server has it. */
  function decide(chosen: readonly QuestionAnswer[], given: Given): Promise<boolean> {
    const criteria = data?.question.criteria ?? []
    const seen = chosen.map(({ submission_id, decided }) => ({ submission_id, decided }))
    return send(chosen, {
      words: data ? decisionInWords(chosen.length, given, data.question) : '',
      after: (answer) => afterPoints(answer, given, items, criteria),
      call: async () => (await callApi(decideAnswers, { params, body: { answers: seen, points: given } })).body,
      again: (answers) => void decide(answers, given),
    })
  }

  function applyItem(chosen: readonly QuestionAnswer[], item: RubricItem, applied: boolean): Promise<boolean> {
    const criteria = data?.question.criteria ?? []
    const body = {
      answers: chosen.map(({ submission_id, decided, items: own = [] }) => ({ submission_id, decided, items: own })),
      applied,
    }
    return send(chosen, {
      words: `${plural(chosen.length, 'answer')}: “${shorten(item.text, 60)}” ${applied ? 'given' : 'taken away'}`,
      after: (answer) => afterItem(answer, item, applied, { items, criteria }),
      call: async () => (await callApi(applyRubricItem, { params: { ...params, itemId: item.id }, body })).body,
      again: (answers) => void applyItem(answers, item, applied),
    })
  }

  function send(chosen: readonly QuestionAnswer[], { words, after, call, again }: Decision): Promise<boolean> {
    const id = ++lastId.current
    const decisions = new Map(chosen.map((answer) => [answer.submission_id, after(answer)]))
    setPending((all) => [...all, { id, decisions }])
    announce(words)
    return queue.add(async () => {
      try {
        const body = await call()
        const changed = new Set(body.changed)
        patch((now) => ({ ...now, answers: afterDecision(now.answers, changed, decisions, body, me) }))
        if (body.change_id !== null) made(body.change_id, 'decision', body.changed.length)
        reportLeftAlone(body, chosen, again)
        return true
      } catch (error) {
        report({
          tone: 'bad',
          title: titleOf(chosen),
          words: `The points for ${plural(chosen.length, 'answer')} were not saved and are taken back. ${messageOf(error, 'Please try again.')}`,
          solve: { label: 'Try again', run: () => again(chosen) },
        })
        return false
      } finally {
        setPending((all) => all.filter((one) => one.id !== id))
      }
    })
  }

  function reportLeftAlone(
    result: DecisionResult,
    chosen: readonly QuestionAnswer[],
    overwrite: Decision['again'] | null,
  ) {
    const { conflicts, unavailable } = result
    if (conflicts.length > 0) {
      const theirs = new Map(
        conflicts.map(({ submission_id, decided, items: own = [] }) => [submission_id, { decided, items: own }]),
      )
      const again = chosen.flatMap((answer) => {
        const other = theirs.get(answer.submission_id)
        return other ? [{ ...answer, ...other }] : []
      })
      report({
        tone: 'warn',
        title: titleOf(again),
        words: conflictSentences(result).join(' '),
        solve: overwrite ? { label: 'Overwrite', run: () => overwrite(again) } : undefined,
      })
    }
    if (unavailable.length > 0)
      report({
        tone: 'warn',
        words: `${plural(unavailable.length, 'answer')} could not be changed: the paper is being graded, was deleted, or was graded with another version of the rubric.`,
      })
  }

  function group(submissionIds: readonly number[]): Promise<string | null> {
    return queue.add(async () => {
      try {
        const { body } = await callApi(groupAnswersTogether, { params, body: { submission_ids: [...submissionIds] } })
        patch((now) => ({ ...now, groups: groupTogether(now.groups, submissionIds, body.group_id) }))
        made(body.change_id, 'grouping', submissionIds.length)
        announce(`${plural(submissionIds.length, 'answer')} in a group of their own`)
        return body.group_id
      } catch (error) {
        report({ tone: 'bad', words: `The answers were not grouped. ${messageOf(error, 'Please try again.')}` })
        return null
      }
    })
  }

  function undo() {
    void queue.add(async () => {
      const change = undoable.current
      if (!change) {
        announce('There is nothing to undo.')
        return
      }
      try {
        const { body } = await callApi(undoQuestionChange, { params: { ...params, changeId: change.id } })
        undoable.current = body.undo
        // Before the reload: what somebody selects meanwhile stays selected.
        onUndone(body.changed)
        await reload()
        announce(`Undone: ${plural(body.changed.length, 'answer')} ${undoneWords[change.kind]}`)
        reportLeftAlone(body, [], null)
      } catch (error) {
        report({ tone: 'bad', words: messageOf(error, 'This could not be undone. Please try again.') })
      }
    })
  }

  return {
    answers,
    decide,
    applyItem,
    made,
    group,
    undo,
    problems,
    dismiss,
    isSending: () => queue.isSending,
    isOwn: (changeId: number | null) => changeId !== null && ownChanges.current.has(changeId),
  }
}

export function useRegroup(view: GroupView, group: QuestionChanges['group']) {
  async function takeOut(ids: readonly number[]) {
    if (ids.length === 0 || ids.length === view.current.answers.length) return
    const rest = view.current.answers.filter(({ submission_id }) => !ids.includes(submission_id))
    view.openAnswers(rest.map(({ submission_id }) => submission_id))
    await group(ids)
  }

  async function merge() {
    if (view.chosen.length < 2) return
    const ids = view.chosen.flatMap(({ answers }) => answers.map(({ submission_id }) => submission_id))
    if (await group(ids)) view.openAnswers(ids)
  }

  return {
    takeOut: (id: number) => void takeOut([id]),
    split: () => void takeOut([...view.ticked]),
    merge: () => void merge(),
  }
}

const undoneWords = {
  decision: 'with the earlier points',
  item: 'with the earlier item',
  grouping: 'back in the earlier groups',
}

const titleOf = ([first]: readonly QuestionAnswer[]) => (first?.excerpt ? `“${shorten(first.excerpt, 60)}”` : undefined)

const withDecisions = (answers: QuestionAnswer[], decisions: Decisions, by: string): QuestionAnswer[] =>
  answers.map((answer) => {
    const after = decisions.get(answer.submission_id)
    return after === undefined ? answer : { ...answer, ...after, decided_by: after.decided && by }
  })

function afterDecision(
  answers: QuestionAnswer[],
  changed: ReadonlySet<number>,
  decisions: Decisions,
  { conflicts }: DecisionResult,
  by: string,
): QuestionAnswer[] {
  const theirs = new Map(conflicts.map((one) => [one.submission_id, one]))
  const own = new Map([...decisions].filter(([id]) => changed.has(id) && !theirs.has(id)))
  return withDecisions(answers, own, by).map((answer) => {
    const other = theirs.get(answer.submission_id)
    if (!other) return answer
    const { decided, decided_by, items = [] } = other
    return { ...answer, decided, decided_by, items }
  })
}
