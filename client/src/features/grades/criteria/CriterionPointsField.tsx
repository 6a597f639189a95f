import type { CriterionGrade } from '@assay/shared/grades.ts'
import { TextInput } from '@mantine/core'
import { formatPoints } from '../../../lib/format.ts'
import { isToGrade } from '../grade-labels.ts'
import { focusNextToGrade, toGradeMark } from '../next-to-grade.ts'
import type { GradeReview } from '../useGradeReview.ts'
import classes from './CriterionPointsField.module.css'

interface Props {
  criterion: CriterionGrade
  review: GradeReview
  onFocus: () => void
}

/** The teacher's points for one criterion; left empty, the AI's count, if there are any. */
export function CriterionPointsField({ criterion, review, onFocus }: Props) {
  const { criterion_id: id, criterion_text, score, max_score } = criterion
  const { draft, errors, change } = review
  return (
    <TextInput
      className={classes.root}
      aria-label={`Your points for “${criterion_text}”, of ${formatPoints(max_score)}; ${score === null ? 'not graded yet' : `leave empty for the AI’s ${formatPoints(score)}`}`}
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      placeholder={score === null ? '' : formatPoints(score)}
      data-path={`points.${id}`}
      {...(isToGrade(criterion, review.grade) ? toGradeMark : {})}
      value={draft.points[id] ?? ''}
      onChange={(event) => change({ points: { ...draft.points, [id]: event.currentTarget.value } })}
      onFocus={onFocus}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !review.editing) event.currentTarget.blur()
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
        if (!focusNextToGrade()) void review.save()
      }}
      error={errors[`points.${id}`]}
      rightSection={<span className={classes.most}>/ {formatPoints(max_score)}</span>}
      rightSectionWidth={44}
    />
  )
}
