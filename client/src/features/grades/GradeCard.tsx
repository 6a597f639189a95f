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
  selected: string | null
  hovered: string | null
  select: (group: string) => void
  hover: (group: string | null) => void
  /** Under the score. */
  belowScore?: ReactNode
  /** At the end: where to learn how the grade came to be. */
  footer?: ReactNode
}

/** A grade, to look at or to change; the criteria stay in sight either way. */
export function GradeCard({ review, selected, hovered, select, hover, belowScore, footer }: Props) {
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
      {belowScore}
      {grade.needs_review && <ReviewReasons grade={grade} selected={selected} select={select} />}
      {grade.criterion_grades_collection.length > 0 && (
        <CriterionList
          criteria={grade.criterion_grades_collection}
          {...(editing
            ? { fieldOf: (criterion) => <CriterionPointsField criterion={criterion} review={review} /> }
            : {})}
          selected={selected}
          hovered={hovered}
          select={select}
          hover={hover}
        />
      )}
      <GradeFeedback grade={grade} />
      <div className={classes.made}>
        <p>
          Suggested by {grade.grader.name === 'offline' ? 'the built-in grader' : grade.grader.name}, version{' '}
          {grade.grader.version}
        </p>
        {footer}
      </div>
    </div>
  )
}
