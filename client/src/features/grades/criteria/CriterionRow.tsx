import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { ReactNode } from 'react'
import { AiIcon, TeacherIcon } from '../../../components/display/Attribution.tsx'
import { formatPoints, isConfident, levelLabels, unscoredLabels } from '../grade-labels.ts'
import classes from './CriterionRow.module.css'
import { PerformanceLevelIcon } from './PerformanceLevelIcon.tsx'

/** What teachers and students both see of a criterion. */
type DisplayedCriterion = Pick<
  CriterionGrade,
  'criterion_text' | 'score' | 'max_score' | 'teacher_score' | 'llm_feedback' | 'evidence'
>

interface Props {
  criterion: DisplayedCriterion
  number: number
  selected: boolean
  hovered: boolean
  select: () => void
  hover: (on: boolean) => void
  /** In place of the points, while they are being changed. */
  field?: ReactNode
  /** Between the points and the words: how well it was met. */
  level?: ReactNode
  /** Below what it rests on, while it is chosen. */
  details?: ReactNode
}

/** One criterion: what was asked, what it earned, and why. Chosen, it also shows what it rests on. */
export function CriterionRow(props: Props) {
  const { criterion, number, selected, hovered, select, hover, field, level, details } = props
  const { criterion_text } = criterion
  return (
    <li
      className={classes.root}
      data-chosen={selected || undefined}
      data-pointed={hovered || undefined}
      data-field={field ? true : undefined}
      onPointerEnter={() => hover(true)}
      onPointerLeave={() => hover(false)}
    >
      <button type="button" className={classes.row} aria-pressed={selected} onClick={select}>
        <span className={classes.number}>{number}</span>
        <span className={classes.text}>{criterion_text}</span>
        {!field && <Points criterion={criterion} />}
      </button>
      {field && <div className={classes.field}>{field}</div>}
      <div className={classes.more}>
        {level && <p className={classes.level}>{level}</p>}
        {criterion.llm_feedback && (
          <p className={classes.feedback}>
            <AiIcon size={13} />
            <span>{criterion.llm_feedback}</span>
          </p>
        )}
        {selected && <Evidence criterion={criterion}>{details}</Evidence>}
      </div>
    </li>
  )
}

/** The points that count: the teacher's where they gave any, with what the AI suggests of its own. */
function Points({ criterion }: { criterion: DisplayedCriterion }) {
  const { score, max_score, teacher_score } = criterion
  return (
    <span className={classes.points}>
      {teacher_score !== undefined && (
        <>
          <TeacherIcon size={13} />
          <span className={classes.unsaid}>Your points: </span>
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

/** How well the criterion was met, and whether the grader is sure; or why it gave no score. */
export function PerformanceLevel({ criterion, partial }: { criterion: CriterionGrade; partial: boolean }) {
  const { llm_performance_level: level, unscored_reason: reason } = criterion
  if (level === null)
    return (
      <span className={partial ? classes.unscored : undefined}>
        {partial ? 'Not graded yet' : 'No AI score'}
        {reason && `: ${unscoredLabels[reason]}`}
      </span>
    )
  return (
    <>
      <PerformanceLevelIcon level={level} />
      {levelLabels[level]}
      {!isConfident(criterion) && <span className={classes.unsure}>not sure</span>}
    </>
  )
}

function Evidence({ criterion, children }: { criterion: DisplayedCriterion; children: ReactNode }) {
  // A place alone has no words.
  const quoted = criterion.evidence.filter(({ quote }) => quote !== '')
  const pages = [...Map.groupBy(quoted, (one) => one.page)]
  return (
    <div className={classes.evidence}>
      {pages.map(([page, lines]) => (
        <blockquote key={page} className={classes.quote}>
          “{lines.map((line) => line.quote).join(' ')}”<cite> page {page}</cite>
        </blockquote>
      ))}
      {criterion.evidence.length === 0 && <p className={classes.nothing}>No evidence found on the paper.</p>}
      {children && <p className={classes.nothing}>{children}</p>}
    </div>
  )
}
