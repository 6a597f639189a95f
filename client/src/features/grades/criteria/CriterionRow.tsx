import type { CriterionGrade, PerformanceLevel as Level } from '@assay/shared/grades.ts'
import type { CSSProperties, ReactNode } from 'react'
import { AiIcon, TeacherIcon } from '../../../components/display/Attribution.tsx'
import { MathText } from '../../../components/math/MathText.tsx'
import { formatPoints } from '../../../lib/format.ts'
import { criterionTitle, levelLabels, unscoredLabels } from '../grade-labels.ts'
import { itemWorth } from '../item-words.ts'
import classes from './CriterionRow.module.css'

type DisplayedCriterion = Pick<
  CriterionGrade,
  | 'criterion_text'
  | 'label'
  | 'score'
  | 'max_score'
  | 'teacher_score'
  | 'teacher_feedback'
  | 'llm_feedback'
  | 'evidence'
  | 'items'
> & {
  /** Absent: the AI's. */
  feedback_by?: 'ai' | 'teacher'
}

interface Props {
  criterion: DisplayedCriterion
  /** The question's number, with a letter where it has several criteria. */
  tag: string
  question?: string | undefined
  selected: boolean
  hovered: boolean
  select: () => void
  hover: (on: boolean) => void
  field?: ReactNode
  feedbackField?: ((words: ReactNode) => ReactNode) | undefined
  level?: ReactNode
  state?: ReactNode
  items?: ReactNode
  details?: ReactNode
}

export function CriterionRow(props: Props) {
  const { criterion, tag, question, selected, hovered, select, hover } = props
  const { field, feedbackField, level, state, items, details } = props
  const words = !(selected && items && criterion.items) && <Feedback criterion={criterion} />
  return (
    <li
      className={classes.root}
      data-chosen={selected || undefined}
      data-pointed={hovered || undefined}
      data-field={field ? true : undefined}
      onPointerEnter={() => hover(true)}
      onPointerLeave={() => hover(false)}
    >
      {question && (
        <p className={classes.question}>
          {criterion.label?.number} <MathText>{question}</MathText>
        </p>
      )}
      <div className={classes.head}>
        <button type="button" className={classes.row} aria-pressed={selected} onClick={select}>
          <span className={classes.number}>{tag}</span>
          <span className={classes.text}>
            <MathText>{criterionTitle(criterion)}</MathText>
          </span>
          {!field && <Points criterion={criterion} />}
        </button>
        {field && <div className={classes.field}>{field}</div>}
      </div>
      <div className={classes.more}>
        {level && <p className={classes.level}>{level}</p>}
        {state}
        {selected && items}
        {feedbackField ? feedbackField(words) : words}
        {selected && <Evidence criterion={criterion}>{details}</Evidence>}
      </div>
    </li>
  )
}

/** The words of its rubric items and the teacher's own, else the AI's. */
function Feedback({ criterion }: { criterion: DisplayedCriterion }) {
  const { items = [], teacher_feedback, llm_feedback, feedback_by } = criterion
  if (items.length > 0 || teacher_feedback)
    return (
      <>
        {items.map((item) => (
          <p key={item.id} className={classes.feedback}>
            <TeacherIcon size={13} />
            <span>
              {item.kind !== 'comment' && <strong>{itemWorth(item)} </strong>}
              <MathText>{item.text}</MathText>
            </span>
          </p>
        ))}
        {teacher_feedback && (
          <p className={classes.feedback}>
            <TeacherIcon size={13} />
            <span>
              <MathText>{teacher_feedback}</MathText>
            </span>
          </p>
        )}
      </>
    )
  return (
    llm_feedback && (
      <p className={classes.feedback}>
        {feedback_by === 'teacher' ? <TeacherIcon size={13} /> : <AiIcon size={13} />}
        <span>
          <MathText>{llm_feedback}</MathText>
        </span>
      </p>
    )
  )
}

export function tagColumn(tags: readonly string[]): CSSProperties {
  const widest = Math.max(1.375, ...tags.map((tag) => 0.65 + 0.45 * tag.length))
  const style: Record<string, string> = { '--tag-width': `${widest}rem` }
  return style
}

function Points({ criterion }: { criterion: DisplayedCriterion }) {
  const { score, max_score, teacher_score } = criterion
  return (
    <span className={classes.points}>
      {teacher_score !== undefined && (
        <>
          <TeacherIcon size={13} />
          <span className="visually-hidden">Your points: </span>
        </>
      )}
      <strong>{formatPoints(teacher_score ?? score)}</strong> / {formatPoints(max_score)}
      {teacher_score !== undefined && score !== null && (
        <span className={classes.was}>
          <AiIcon size={11} />
          AI {formatPoints(score)}
        </span>
      )}
    </span>
  )
}

interface LevelProps {
  criterion: CriterionGrade
  partial: boolean
  unsure: boolean
}

export function PerformanceLevel({ criterion, partial, unsure }: LevelProps) {
  const { llm_performance_level: level, unscored_reason: reason, confidence, max_score } = criterion
  if (level === null)
    return (
      <span className={partial ? classes.unscored : undefined}>
        {partial ? 'Not graded yet' : 'No AI score'}
        {reason && `: ${unscoredLabels[reason]}`}
      </span>
    )
  return (
    <>
      {max_score > 1 && (
        <>
          <PerformanceLevelIcon level={level} />
          {levelLabels[level]}
        </>
      )}
      {unsure && <span className={classes.unsure}>may be off by about {expectedError(confidence, max_score)}</span>}
    </>
  )
}

/** The points a suggestion is off by on average, in halves. */
const expectedError = (confidence: number, most: number) =>
  formatPoints(Math.max(0.5, Math.round(2 * (1 - confidence) * most) / 2))

function Evidence({ criterion, children }: { criterion: DisplayedCriterion; children: ReactNode }) {
  const quoted = criterion.evidence.filter(({ quote }) => quote !== '')
  const pages = [...Map.groupBy(quoted, (one) => one.page)]
  return (
    <div className={classes.evidence}>
      {pages.map(([page, lines]) => (
        <blockquote key={page} className={classes.quote}>
          “{lines.map((line) => line.quote).join(' ')}”<cite> page {page}</cite>
        </blockquote>
      ))}
      {criterion.evidence.length === 0 && <p className="dim">No evidence found on the paper.</p>}
      {children && <p className="dim">{children}</p>}
    </div>
  )
}

const filledFraction: Record<Level, number> = { excellent: 1, good: 0.75, partial: 0.5, minimal: 0.25, none: 0 }

function PerformanceLevelIcon({ level }: { level: Level }) {
  // A circle of radius 3 with a stroke of 6 is a disc; dashes cut a slice of it.
  const around = 2 * Math.PI * 3
  return (
    <svg viewBox="0 0 16 16" width={14} height={14} className={classes.icon} data-level={level} aria-hidden="true">
      <circle cx="8" cy="8" r="7" className={classes.ring} />
      <circle
        cx="8"
        cy="8"
        r="3"
        className={classes.slice}
        strokeDasharray={`${around * filledFraction[level]} ${around}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  )
}
