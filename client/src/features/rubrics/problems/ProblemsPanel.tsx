import type { RubricProblem } from '@assay/shared/rubrics.ts'
import {
  groupProblems,
  isInformation,
  isOpenProblem,
  type ProblemGroup,
  pointsAtStake,
} from '@assay/shared/rules/rubric-problems.ts'
import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { plural } from '../../../lib/format.ts'
import { useRubricPapers } from '../papers/useRubricPapers.tsx'
import { dismiss } from '../rubric-fixes.ts'
import type { RubricDraft } from '../useRubricDraft.ts'
import { ProblemFixes } from './ProblemFixes.tsx'
import classes from './ProblemsPanel.module.css'

interface Props {
  draft: RubricDraft
  openQuestion: (questionId: string, focus?: string) => void
  changeMany: () => void
}

const MOST_QUESTIONS = 20

export function ProblemsPanel({ draft, openQuestion: openFields, changeMany }: Props) {
  const { showRegion } = useRubricPapers()
  const openQuestion = (questionId: string, focus?: string) => {
    showRegion(questionId)
    openFields(questionId, focus)
  }
  const { problems, update } = draft
  const [fineShown, showFine] = useState(false)
  const open = problems.filter(isOpenProblem)
  const known = problems.filter((problem) => isInformation(problem) && !problem.dismissed)
  const unsure = known.some(({ code }) => code === 'answers_unsure')
  const fine = problems.filter(({ dismissed }) => dismissed)
  const groups = groupProblems(open)
  const points = pointsAtStake(open)
  const setDismissed = (chosen: RubricProblem[], dismissed: boolean) =>
    update((rubric) => dismiss(rubric, problems, chosen, dismissed))
  const title = useRef<HTMLHeadingElement>(null)
  const count = useRef(open.length)
  useEffect(() => {
    const isOther = open.length !== count.current
    count.current = open.length
    // A control that goes with its problem must not take the focus along.
    if (isOther && document.activeElement === document.body) title.current?.focus({ preventScroll: true })
  }, [open.length])
  return (
    <section className={classes.root} aria-label="Problems" data-open={open.length > 0 || undefined}>
      <h2 className={classes.title} ref={title} tabIndex={-1}>
        {open.length > 0 ? (
          <IconAlertTriangle size={18} className={classes.warn} aria-hidden />
        ) : (
          <IconCircleCheck size={18} className={classes.good} aria-hidden />
        )}
        {open.length > 0
          ? `${plural(groups.length, 'problem')} to check`
          : unsure
            ? 'Nothing stands out'
            : 'Nothing left to check'}
        {points > 0 && <span className={classes.cost}>{plural(points, 'point')} at stake</span>}
      </h2>
      {open.length > 0 && (
        <ul className={classes.list}>
          {groups.map((group) => (
            <ProblemItem
              key={keyOf(group)}
              group={group}
              draft={draft}
              openQuestion={openQuestion}
              changeMany={changeMany}
              dismiss={() => setDismissed(group.problems, true)}
            />
          ))}
        </ul>
      )}
      {known.length > 0 && (
        <ul className={classes.known}>
          {known.map(({ id, message }) => (
            <li key={id}>
              <IconInfoCircle size={16} aria-hidden />
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {fine.length > 0 && (
        <div className={classes.fine}>
          <SubtleButton size="compact-sm" aria-expanded={fineShown} onClick={() => showFine(!fineShown)}>
            {fine.length} marked as fine
          </SubtleButton>
          {fineShown && (
            <ul className={classes.list}>
              {fine.map((problem) => (
                <li key={problem.id} className={classes.item}>
                  <span className={classes.message}>{problem.message}</span>
                  <SecondaryButton size="compact-sm" onClick={() => setDismissed([problem], false)}>
                    Reopen
                  </SecondaryButton>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </section>
  )
}

/** Without the figures, which change while points are set. */
function keyOf({ id, problems: [first, second] }: ProblemGroup): string {
  if (!first || second) return id
  const { code, question_id } = first
  if (code === 'points_total') return id.split('/').slice(0, 2).join('/')
  return question_id && code !== 'number_missing' && code !== 'general' ? `${code}/${question_id}` : id
}

interface ProblemItemProps extends Props {
  group: ProblemGroup
  dismiss: () => void
}

function ProblemItem({ group, draft, openQuestion, changeMany, dismiss }: ProblemItemProps) {
  const { message, points, problems } = group
  const [first, second] = problems
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <span className={classes.message}>{message}</span>
        {points > 0 && <span className={classes.cost}>{plural(points, 'point')}</span>}
      </div>
      <div className={classes.fixes}>
        {first && !second && (
          <ProblemFixes problem={first} draft={draft} openQuestion={openQuestion} changeMany={changeMany} />
        )}
        {second && <QuestionButtons problems={problems} draft={draft} openQuestion={openQuestion} />}
        <SubtleButton size="compact-sm" color="gray" aria-label={`It’s fine: ${message}`} onClick={dismiss}>
          It’s fine
        </SubtleButton>
      </div>
    </li>
  )
}

const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

type QuestionButtonsProps = Omit<Props, 'changeMany'> & Pick<ProblemGroup, 'problems'>

function QuestionButtons({ problems, draft, openQuestion }: QuestionButtonsProps) {
  const [all, showAll] = useState(false)
  const questions = new Map(draft.rubric.questions.map((question) => [question.id, question]))
  const left = all ? 0 : problems.length - MOST_QUESTIONS
  return (
    <>
      {problems.slice(0, left > 0 ? MOST_QUESTIONS : undefined).map(({ id, question_id = '' }, i) => {
        const question = questions.get(question_id)
        if (!question) return null
        const field = `expected-${question.criteria[0]?.id}`
        return (
          <Button
            key={id}
            ref={i === MOST_QUESTIONS ? takeFocus : undefined}
            variant="default"
            size="compact-sm"
            aria-label={`Open question ${question.number}`}
            onClick={() => openQuestion(question_id, field)}
          >
            {question.number}
          </Button>
        )
      })}
      {left > 0 && (
        <SubtleButton size="compact-sm" onClick={() => showAll(true)}>
          {left} more
        </SubtleButton>
      )}
    </>
  )
}
