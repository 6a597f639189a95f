import type { QuestionAnswer, QuestionToGrade } from '@assay/shared/questions.ts'
import type { RubricItem } from '@assay/shared/rubric-items.ts'
import { Tooltip } from '@mantine/core'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../../components/display/buttons.tsx'
import { formatPoints, plural } from '../../../../lib/format.ts'
import { type GroupOfAnswers, groupKind, summarize } from '../answer-groups.ts'
import screen from '../GradingScreen.module.css'
import type { GroupView } from '../useGroupView.ts'
import { AnswerCard } from './AnswerCard.tsx'
import classes from './GroupPane.module.css'

const SHOWN = 12
const MOST_WORDINGS = 100

interface Props {
  assignmentId: number
  question: QuestionToGrade['question']
  group: GroupOfAnswers
  view: GroupView
  /** Answers of the same words to decide before the groups; empty while groups are. */
  marking: QuestionAnswer[]
  items: readonly RubricItem[]
  pane: RefObject<HTMLElement | null>
  takeOut: (submissionId: number) => void
  /** These two take the focus back: their buttons go. */
  split: () => void
  untick: () => void
  showPage: (submissionId: number) => void
  children?: ReactNode
}

export function GroupPane(props: Props) {
  const { assignmentId, question, group, view, marking, items, pane, takeOut, split, untick, showPage } = props
  const [more, setMore] = useState({ group: group.id, shown: SHOWN })
  const shown = more.group === group.id ? more.shown : SHOWN
  const [first] = marking
  const answers = first ? marking : group.answers
  const atKey = answers.findIndex(({ submission_id }) => submission_id === view.active)
  const drawn = answers.slice(0, Math.max(shown, atKey + 1))
  const left = answers.length - drawn.length
  const id = first ? `answer ${first.submission_id}` : group.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: another group begins at its top, not another answer
  useEffect(() => {
    if (!pane.current) return
    pane.current.scrollTop = 0
    // In a partly decided group, what is left is seen first.
    if (atKey > 0) pane.current.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [id, pane])

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keyboard too
    <section ref={pane} className={classes.root} tabIndex={0} aria-label="Answers">
      <div className={screen.notices}>{props.children}</div>
      <div className={classes.head}>
        <h2 className={classes.title}>
          {first ? (marking.length > 1 ? 'Same words' : 'One answer') : groupKind(group)}
          {answers.length > 1 && <span>{plural(answers.length, 'answer')}</span>}
        </h2>
        {view.ticked.size > 0 && !first && (
          <span className={classes.ticked}>
            <span>{view.ticked.size} selected</span>
            <Tooltip label="Make these a group of their own (s)">
              <SecondaryButton
                size="compact-sm"
                aria-keyshortcuts="s"
                disabled={view.ticked.size === answers.length}
                onClick={split}
              >
                Split off
              </SecondaryButton>
            </Tooltip>
            <SubtleButton size="compact-sm" onClick={untick}>
              Clear
            </SubtleButton>
          </span>
        )}
      </div>
      {group.variants.length > 1 && !first && (
        <ul className={classes.wordings} aria-label="Wordings">
          {group.variants.slice(0, MOST_WORDINGS).map((answers) => (
            <Wording key={answers[0]?.submission_id} answers={answers} question={question} view={view} />
          ))}
        </ul>
      )}
      <ul className={classes.list}>
        {drawn.map((answer) => (
          <AnswerCard
            key={answer.submission_id}
            assignmentId={assignmentId}
            question={question}
            answer={answer}
            items={items}
            active={first ? answer === first : answer.submission_id === view.active}
            activate={() => view.activate(answer.submission_id)}
            selection={
              answers.length > 1 && !first
                ? {
                    ticked: view.ticked.has(answer.submission_id),
                    tick: (toHere) => view.tick(answer.submission_id, toHere),
                    takeOut: () => takeOut(answer.submission_id),
                  }
                : null
            }
            showPage={() => showPage(answer.submission_id)}
          />
        ))}
      </ul>
      {left > 0 && (
        <SecondaryButton
          className={classes.more}
          onClick={() => setMore({ group: group.id, shown: shown + 3 * SHOWN })}
        >
          Show {plural(Math.min(left, 3 * SHOWN), 'more answer')}
        </SecondaryButton>
      )}
    </section>
  )
}

function Wording({ answers, question, view }: Pick<GroupOfAnswers, 'answers'> & Pick<Props, 'question' | 'view'>) {
  const { excerpt, size, points, mixed } = summarize({ answers }, question.criteria)
  return (
    <li>
      <button type="button" onClick={() => answers[0] && view.activate(answers[0].submission_id)}>
        <span>{excerpt}</span>
        <span>{plural(size, 'answer')}</span>
        <span>
          {mixed && '~'}
          <strong>{formatPoints(points && mixed ? Math.round(points * 10) / 10 : points)}</strong> /{' '}
          {formatPoints(question.points)}
        </span>
      </button>
    </li>
  )
}
