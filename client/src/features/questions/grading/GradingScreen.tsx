import type { Assignment } from '@assay/shared/assignments.ts'
import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import { useMemo, useRef, useState } from 'react'
import { ShortcutsModal } from '../../../components/feedback/ShortcutsModal.tsx'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { useKeyboardShortcuts } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import { toast } from '../../../lib/toast.ts'
import { ADD_ITEM_KEY } from '../../grades/item-words.ts'
import { useAnswerSign } from '../../grades/pen-marks/usePen.ts'
import { DoubtfulResultsNotice } from '../DoubtfulResultsNotice.tsx'
import {
  decidedAfter,
  type Given,
  type GroupOfAnswers,
  groupOf,
  isDecided,
  keepOrder,
  nextUndecided,
  withAnswers,
} from './answer-groups.ts'
import { GroupPane } from './answers/GroupPane.tsx'
import { WholePageModal } from './answers/WholePageModal.tsx'
import { ApplyItemModal, DecideManyModal, type DecisionToConfirm } from './DecideManyModal.tsx'
import { GradingHeader } from './GradingHeader.tsx'
import {
  AcceptSureButton,
  AllDecidedNotice,
  GradingNotices,
  SureNotice,
  useQuestionEnd,
  useSureSuggestions,
} from './GradingNotices.tsx'
import classes from './GradingScreen.module.css'
import { groupKeys, pointsKeys, shortcutsFor } from './grading-keys.ts'
import { GroupList } from './groups/GroupList.tsx'
import { ItemModal } from './items/ItemModal.tsx'
import { useItemPanel, useRubricItems } from './items/useItemPanel.ts'
import { MARK_FIRST_KEY, MarkFirstNotice, useMarkFirst } from './MarkFirstNotice.tsx'
import { PointsPanel } from './points/PointsPanel.tsx'
import { initialDraft, type PointsDraft, pointsOfDraft } from './points-draft.ts'
import { QuestionDetails } from './QuestionDetails.tsx'
import { suggestionWords, targetOf, useAskedAnswer, useGroupView, useListOrGroup } from './useGroupView.ts'
import { useLiveQuestion, usePresence } from './useLiveQuestion.ts'
import { useQuestionChanges, useRegroup } from './useQuestionChanges.ts'

interface Props {
  assignmentId: number
  question: QuestionToGrade
  loaded: QueryResult<QuestionToGrade>
  assignment: Assignment | undefined
}

export function GradingScreen({ assignmentId, question: data, loaded, assignment }: Props) {
  const { question } = data
  const { criteria } = question
  const params = { assignmentId, questionId: question.id }
  const undone = useRef<(ids: number[]) => void>(() => {})
  const { items, loaded: loadedItems } = useRubricItems(params, question)
  const changes = useQuestionChanges({ params, loaded, items, onUndone: (ids) => undone.current(ids) })
  useLiveQuestion(params, data, changes, () => Promise.all([loaded.reload(), loadedItems.reload()]))
  const graders = usePresence(assignmentId, question.id, data.graders)

  const order = useRef<QuestionToGrade['groups']>([])
  const groups = useMemo(() => {
    order.current = keepOrder(order.current, data.groups)
    return withAnswers(order.current, changes.answers)
  }, [data.groups, changes.answers])
  const asked = useAskedAnswer()
  const [firstGroup] = useState(() => groupOf(groups, asked) ?? nextUndecided(groups, -1, criteria) ?? groups[0])
  const isOpen = (answer: QuestionAnswer) => !isDecided(answer, criteria)
  const view = useGroupView(groups, firstGroup as GroupOfAnswers, { activeAtFirst: asked, isOpen })
  const markFirst = useMarkFirst({ params, question: data, loaded, answers: changes.answers })
  const sure = useSureSuggestions(changes, criteria)
  undone.current = (ids) => {
    sure.forget()
    markFirst.stop()
    view.openAnswers(ids)
  }

  const ending = useQuestionEnd(assignmentId, question, groups)
  const { allDecided } = ending

  const { onList, setOnList, list, pane } = useListOrGroup()
  const [page, setPage] = useState<number | null>(null)
  const [keysShown, setKeysShown] = useState(false)
  const [toConfirm, setToConfirm] = useState<DecisionToConfirm | null>(null)
  const [activeCriterion, setActiveCriterion] = useState(0)
  const [lookedAt, setLookedAt] = useState(false)
  const doubts = assignment?.doubtful_results?.filter((one) => one.question_id === question.id && !lookedAt) ?? []

  const target = targetOf(view, markFirst.answers)
  const key = target.answers.map(({ submission_id }) => submission_id).join(' ')
  const [typed, setTyped] = useState<{ key: string; draft: PointsDraft }>({ key: '', draft: {} })
  const isTyped = typed.key === key
  const draft = isTyped ? typed.draft : initialDraft(target.answers, criteria)
  const setDraft = (next: PointsDraft) => setTyped({ key, draft: next })
  const isSettled = !isTyped && target.answers.every((answer) => isDecided(answer, criteria))
  function decide(answers: readonly QuestionAnswer[], given: Given) {
    const done = new Set(
      answers
        .filter((answer) => isDecided({ decided: decidedAfter(answer, given) }, criteria))
        .map(({ submission_id }) => submission_id),
    )
    const sent = changes.decide(answers, given)
    setLookedAt(true)
    sure.forget()
    setTyped({ key: '', draft: {} })
    if (markFirst.answer) {
      void markFirst.tell(sent)
      if (done.size > 0) markFirst.next()
      return
    }
    markFirst.stop()
    const here = view.current.answers.some((answer) => !done.has(answer.submission_id) && !isDecided(answer, criteria))
    view.chooseNone()
    if (!here && done.size > 0) view.open(nextUndecided(groups, view.index, criteria, done))
  }

  function give(given: Given) {
    if (given === 'suggested' && target.answers.every(({ suggested }) => Object.keys(suggested).length === 0)) {
      toast.info('The grader suggests no points here. Type the points.')
      return
    }
    if (target.groups > 1) setToConfirm({ given, answers: target.answers, groups: target.groups })
    else decide(target.answers, given)
  }

  function giveDraft(points: PointsDraft) {
    const given = pointsOfDraft(points, criteria)
    if (given) give(given)
    else if (isSettled) moveOn()
  }

  function moveOn() {
    if (markFirst.answer) {
      void markFirst.tell(Promise.resolve(true))
      markFirst.next()
    } else {
      view.chooseNone()
      view.open(nextUndecided(groups, view.index, criteria))
    }
  }

  const itemPanel = useItemPanel({
    items,
    loaded: loadedItems,
    answers: target.answers,
    all: changes.answers,
    asks: target.groups > 1,
    apply: changes.applyItem,
  })

  const { takeOut, split, merge } = useRegroup(view, changes.group)
  /** Moves the focus from a button that goes: Enter would press the one in its place. */
  const leaving =
    <T extends unknown[]>(act: (...args: T) => unknown) =>
    (...args: T) => {
      act(...args)
      pane.current?.focus({ preventScroll: true })
    }
  const marking = {
    ...markFirst,
    start: leaving(markFirst.start),
    next: leaving(markFirst.next),
    stop: leaving(markFirst.stop),
  }
  const openNextUndecided = () => (allDecided ? ending.leave() : view.open(nextUndecided(groups, view.index, criteria)))
  const acceptSure = () => {
    // What looks sure rests on the key in doubt.
    if (doubts.length > 0) return
    setLookedAt(true)
    markFirst.stop()
    const accepted = new Set(sure.accept())
    if (accepted.size > 0) view.open(nextUndecided(groups, -1, criteria, accepted))
  }
  const active = markFirst.answer?.submission_id ?? view.active
  const sign = useAnswerSign({ ...params, submissionId: active })
  const withdraw = target.answers.some(({ decided }) => decided !== null) ? () => give(null) : null
  const giveAll = (full: boolean) => give(Object.fromEntries(criteria.map(({ id, points }) => [id, full ? points : 0])))
  const giveTyped = () => giveDraft(draft)
  const signAs = (kind: 'tick' | 'cross') => () => sign(kind)
  const clear = () =>
    isTyped && Object.keys(typed.draft).length > 0 ? setTyped({ key: '', draft: {} }) : view.chooseNone()
  useKeyboardShortcuts({
    ...groupKeys(view),
    ...pointsKeys({ criteria, draft, setDraft, activeCriterion, activateCriterion: setActiveCriterion }),
    ...itemPanel.keys,
    [ADD_ITEM_KEY]: () => itemPanel.add(criteria[activeCriterion]?.id ?? ''),
    Enter: giveTyped,
    '+': () => giveAll(true),
    '=': () => giveAll(true),
    '-': () => giveAll(false),
    a: () => give('suggested'),
    A: acceptSure,
    W: withdraw ?? undefined,
    [MARK_FIRST_KEY]: () => markFirst.offered.length > 0 && !markFirst.answer && markFirst.start(),
    z: changes.undo,
    'mod+z': changes.undo,
    n: openNextUndecided,
    x: () => takeOut(view.active),
    s: split,
    m: merge,
    p: () => setPage(active),
    V: signAs('tick'),
    X: signAs('cross'),
    '?': () => setKeysShown(true),
    Escape: clear,
  })

  return (
    <div
      className={classes.root}
      data-fills
      data-at={onList ? 'list' : 'group'}
      data-many={target.groups > 1 || undefined}
    >
      <GradingHeader
        assignmentId={assignmentId}
        assignment={assignment}
        question={question}
        graders={graders}
        groups={{ decided: ending.decidedGroups, all: groups.length, at: view.index + 1 }}
        previous={view.index > 0 ? () => view.step(-1) : null}
        next={view.index < groups.length - 1 ? () => view.step(1) : null}
        undo={data.undo ? changes.undo : null}
        showKeys={() => setKeysShown(true)}
        toList={onList ? null : () => setOnList(true)}
      />
      <div className={classes.panes}>
        <div className={classes.list}>
          <GroupList
            groups={groups}
            question={question}
            view={view}
            scroller={list}
            opened={() => {
              markFirst.stop()
              setOnList(false)
            }}
            merge={merge}
          />
        </div>
        <div className={classes.answers}>
          <GroupPane
            assignmentId={assignmentId}
            question={question}
            group={view.current}
            view={view}
            marking={markFirst.answers}
            items={items}
            pane={pane}
            takeOut={takeOut}
            split={leaving(split)}
            untick={leaving(view.untick)}
            showPage={setPage}
          >
            <DoubtfulResultsNotice assignmentId={assignmentId} doubts={doubts} />
            <GradingNotices problems={changes.problems} dismiss={leaving(changes.dismiss)} />
            <MarkFirstNotice
              markFirst={marking}
              otherwise={
                doubts.length > 0 ? null : (
                  <AcceptSureButton count={sure.answers.length} accept={leaving(acceptSure)} variant="default" />
                )
              }
            />
            {doubts.length === 0 &&
              !markFirst.answer &&
              (markFirst.offered.length === 0 || markFirst.isMore || sure.accepted !== null) && (
                <SureNotice sure={sure} marked={marking} accept={leaving(acceptSure)} undo={leaving(changes.undo)} />
              )}
            {allDecided && <AllDecidedNotice end={ending} />}
          </GroupPane>
        </div>
        <aside className={classes.side} aria-label="Question and points">
          <div className={classes.details}>
            <QuestionDetails question={question} />
          </div>
          <PointsPanel
            question={question}
            targetWords={target.words}
            answers={target.answers}
            items={itemPanel}
            draft={draft}
            setDraft={setDraft}
            activeCriterion={activeCriterion}
            activateCriterion={setActiveCriterion}
            give={giveDraft}
            next={isSettled && !allDecided ? moveOn : null}
            suggestion={suggestionWords(target.answers, criteria)}
            accept={() => give('suggested')}
            withdraw={withdraw}
            chooseUp={view.chooseUp}
            chooseDown={view.chooseDown}
          />
        </aside>
      </div>
      <WholePageModal assignmentId={assignmentId} question={question} submissionId={page} close={() => setPage(null)} />
      <DecideManyModal question={question} decision={toConfirm} close={() => setToConfirm(null)} confirm={decide} />
      <ApplyItemModal {...itemPanel} />
      <ItemModal
        assignmentId={assignmentId}
        question={question}
        panel={itemPanel}
        published={assignment?.status === 'published'}
        changed={(changeId, count) => {
          if (changeId !== null) changes.made(changeId, 'item', count)
          void loaded.reload()
        }}
      />
      <ShortcutsModal shortcuts={shortcutsFor(criteria.length)} opened={keysShown} close={() => setKeysShown(false)} />
    </div>
  )
}
