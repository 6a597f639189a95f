import type { Question, Rubric } from '@assay/shared/rubrics.ts'
import { roundPoints } from '@assay/shared/rules/criterion-points.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { numberLevels } from '@assay/shared/rules/question-numbers.ts'
import { IconAlertTriangle, IconArrowDown, IconArrowUp, IconChevronDown, IconTrash } from '@tabler/icons-react'
import { type KeyboardEvent, useId } from 'react'
import { plural } from '../../../lib/format.ts'
import { type DraftErrors, questionKinds } from '../rubric-draft.ts'
import type { QuestionPart } from '../rubric-parts.ts'
import { IconButton } from './IconButton.tsx'
import { QuestionFields } from './QuestionFields.tsx'
import classes from './QuestionRow.module.css'

interface Props {
  rubric: Rubric
  question: Question
  index: number
  /** Its words, without those it shares with its neighbours. */
  title: string
  open: boolean
  /** Differs from what is saved. */
  changed: boolean
  /** How many are open. */
  problems: number
  toggle: () => void
  change: (question: Question) => void
  split: (parts: QuestionPart[]) => void
  /** `by`: the control that was used, which keeps the focus. */
  move: (to: number, by: 'line' | 'button') => void
  remove: () => void
  /** Those that are shown. */
  errors: DraftErrors
}

/** A question: one line, and all of it once it is opened. */
export function QuestionRow(props: Props) {
  const { rubric, question, index, title, open, changed, problems, toggle, change, split, move, remove, errors } = props
  const body = useId()
  const name = `question ${question.number}`
  const points = questionPoints(question)
  const wrong = Object.keys(errors).length
  const printed = pointsMismatch(question)

  function moveByKey(event: KeyboardEvent) {
    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
    event.preventDefault()
    move(index + (event.key === 'ArrowUp' ? -1 : 1), 'line')
  }

  return (
    <li className={classes.root} data-open={open || undefined} data-depth={depthOf(question.number)}>
      <h3 className={classes.title}>
        <button
          type="button"
          className={classes.line}
          data-focus={`question-${question.id}`}
          aria-expanded={open}
          aria-controls={body}
          aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
          onClick={toggle}
          onKeyDown={moveByKey}
        >
          <span className={classes.number}>{question.number || '?'}</span>
          <span className={classes.prompt}>{title || 'No question text'}</span>
          {changed && <span className={classes.changed}>Changed</span>}
          {(wrong > 0 || printed || problems > 0) && (
            <span className={classes.wrong} data-tone={wrong > 0 ? 'bad' : 'warn'}>
              <IconAlertTriangle size={15} aria-hidden />
              {wrong > 0 ? plural(wrong, 'error') : printed ? 'Points differ' : 'Check'}
            </span>
          )}
          <span className={classes.kind}>{questionKinds[question.kind].label}</span>
          <span className={classes.points}>{plural(points, 'point')}</span>
          <IconChevronDown size={16} className={classes.arrow} aria-hidden />
        </button>
      </h3>
      {open && (
        <div id={body}>
          <div className={classes.tools}>
            <p className={classes.sum} data-tone={printed ? 'warn' : undefined}>
              {printed ?? `Worth ${plural(points, 'point')}${criteriaSum(question)}`}
            </p>
            <IconButton
              label={`Move ${name} up`}
              Icon={IconArrowUp}
              focusName={`question-up-${question.id}`}
              disabled={index === 0}
              onClick={() => move(index - 1, 'button')}
            />
            <IconButton
              label={`Move ${name} down`}
              Icon={IconArrowDown}
              disabled={index === rubric.questions.length - 1}
              focusName={`question-down-${question.id}`}
              onClick={() => move(index + 1, 'button')}
            />
            <IconButton label={`Remove ${name}`} Icon={IconTrash} onClick={remove} />
          </div>
          <QuestionFields
            rubric={rubric}
            question={question}
            change={change}
            split={split}
            errors={errors}
            at={`questions.${index}`}
          />
        </div>
      )}
    </li>
  )
}

/** Parts stand below their question; those of parts further in. */
const depthOf = (number: string) => Math.min(3, Math.max(0, numberLevels(number).levels.length - 1))

const criteriaSum = ({ criteria }: Question) =>
  criteria.length > 1
    ? `: ${criteria.map(({ points }) => (Number.isFinite(points) ? roundPoints(points) : '?')).join(' + ')}`
    : ''

/** That a question's criteria do not come to what the paper prints; null when they do, or nothing is printed. */
function pointsMismatch(question: Question): string | null {
  const { printed_points } = question
  const points = questionPoints(question)
  if (printed_points === undefined || Math.abs(printed_points - points) < 0.01) return null
  return `The paper says ${plural(printed_points, 'point')}, but the criteria add up to ${points}${criteriaSum(question).replace(':', ' =')}.`
}
