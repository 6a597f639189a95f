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

/** Saved as the field is left; left empty, the AI's points count, if there are any. */
export function CriterionPointsField({ criterion, review, onFocus }: Props) {
  const { criterion_id: id, criterion_text, score, max_score } = criterion
  const { fields, grade } = review
  return (
    <TextInput
      className={classes.root}
      aria-label={`Your points for “${criterion_text}”, of ${formatPoints(max_score)}; ${score === null ? 'not graded yet' : `leave empty for the AI’s ${formatPoints(score)}`}`}
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      placeholder={score === null ? '' : formatPoints(score)}
      data-path={`points.${id}`}
      {...(isToGrade(criterion, grade) ? toGradeMark : {})}
      value={fields.textOf('points', criterion)}
      onChange={(event) => fields.change('points', criterion, event.currentTarget.value)}
      onFocus={onFocus}
      onBlur={() => fields.leave('points', criterion)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !review.editing) {
          fields.revert('points', criterion)
          event.currentTarget.blur()
        }
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
        // Going on to the next field leaves this one, which saves it.
        if (fields.errorOf('points', criterion) || !focusNextToGrade()) fields.save('points', criterion)
      }}
      error={fields.errorOf('points', criterion)}
      rightSection={<span className={classes.most}>/ {formatPoints(max_score)}</span>}
      rightSectionWidth={44}
    />
  )
}
