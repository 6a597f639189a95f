import type { CriterionGrade } from '@assay/shared/grades.ts'
import { TextInput } from '@mantine/core'
import { formatPoints } from '../grade-labels.ts'
import type { GradeReview } from '../useGradeReview.ts'
import classes from './CriterionPointsField.module.css'

/** The teacher's points for one criterion; left empty, the AI's count. */
export function CriterionPointsField({ criterion, review }: { criterion: CriterionGrade; review: GradeReview }) {
  const { criterion_id: id, criterion_text, score, max_score } = criterion
  const { draft, errors, change } = review
  return (
    <TextInput
      className={classes.root}
      aria-label={`Your points for “${criterion_text}”, of ${formatPoints(max_score)}; leave empty for the AI’s ${formatPoints(score)}`}
      size="xs"
      inputMode="decimal"
      autoComplete="off"
      placeholder={formatPoints(score)}
      data-path={`points.${id}`}
      value={draft.points[id] ?? ''}
      onChange={(event) => change({ points: { ...draft.points, [id]: event.currentTarget.value } })}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) void review.save()
      }}
      error={errors[`points.${id}`]}
      rightSection={<span className={classes.most}>/ {formatPoints(max_score)}</span>}
      rightSectionWidth={44}
    />
  )
}
