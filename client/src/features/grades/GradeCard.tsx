import { type ReactNode, useEffect, useRef } from 'react'
import { CriterionList } from './criteria/CriterionList.tsx'
import { CriterionPointsField } from './criteria/CriterionPointsField.tsx'
import classes from './GradeCard.module.css'
import { GradeFeedback } from './GradeFeedback.tsx'
import { GradeForm } from './GradeForm.tsx'
import { GradeHeader } from './GradeHeader.tsx'
import { ReviewReasons } from './ReviewReasons.tsx'
import type { GradeReview } from './useGradeReview.ts'

interface Props {
  review: GradeReview
  chosen: string | null
  pointed: string | null
  choose: (group: string) => void
  point: (group: string | null) => void
  /** Under the score. */
  beneath?: ReactNode
  /** At the end: where to learn how the grade came to be. */
  ending?: ReactNode
}

/** A grade, to look at or to change; the criteria stay in sight either way. */
export function GradeCard({ review, chosen, pointed, choose, point, beneath, ending }: Props) {
  const { grade, editing } = review
  const editButton = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(editing)
  useEffect(() => {
    // The form took the focus with it as it went.
    if (wasEditing.current && !editing) editButton.current?.focus({ preventScroll: true })
    wasEditing.current = editing
  }, [editing])
  return (
    <div className={classes.root} data-grade-card>
      {editing ? (
        <GradeForm review={review} />
      ) : (
        <GradeHeader grade={grade} edit={review.edit} editButton={editButton} />
      )}
      {beneath}
      {grade.needs_review && <ReviewReasons grade={grade} chosen={chosen} choose={choose} />}
      {grade.criterion_grades_collection.length > 0 && (
        <CriterionList
          criteria={grade.criterion_grades_collection}
          {...(editing
            ? { fieldOf: (criterion) => <CriterionPointsField criterion={criterion} review={review} /> }
            : {})}
          chosen={chosen}
          pointed={pointed}
          choose={choose}
          point={point}
        />
      )}
      <GradeFeedback grade={grade} />
      <div className={classes.made}>
        <p>
          Suggested by {grade.grader.name === 'offline' ? 'the built-in grader' : grade.grader.name}, version{' '}
          {grade.grader.version}
        </p>
        {ending}
      </div>
    </div>
  )
}
