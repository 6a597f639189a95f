import type { CriterionGrade } from '@assay/shared/grades.ts'
import { type ReactNode, useEffect, useRef } from 'react'
import { CriterionFeedbackField } from './criteria/CriterionFeedbackField.tsx'
import { CriterionList } from './criteria/CriterionList.tsx'
import { CriterionPointsField } from './criteria/CriterionPointsField.tsx'
import { criterionHighlightGroup } from './criteria/evidence-highlights.ts'
import { FieldState } from './criteria/FieldState.tsx'
import classes from './GradeCard.module.css'
import { GradeFeedback } from './GradeFeedback.tsx'
import { GradeForm } from './GradeForm.tsx'
import { GradeHeader } from './GradeHeader.tsx'
import { isToGrade } from './grade-labels.ts'
import { ReviewReasons } from './ReviewReasons.tsx'
import type { GradeReview } from './useGradeReview.ts'

interface Props {
  review: GradeReview
  selected: string | null
  hovered: string | null
  select: (group: string) => void
  hover: (group: string | null) => void
  /** Brings its place on the paper into view, without leaving the card. */
  look: (group: string) => void
  /** Rubric items to give to the chosen criterion. */
  itemsOf?: (criterion: CriterionGrade) => ReactNode
  /** Under the score. */
  belowScore?: ReactNode
  /** At the end: where to learn how the grade came to be. */
  footer?: ReactNode
}

/** A grade, to look at or to change; the criteria stay in sight either way. */
export function GradeCard({ review, selected, hovered, select, hover, look, itemsOf, belowScore, footer }: Props) {
  const { grade, editing: formOpen, fields } = review
  const showOnPaper = ({ id }: CriterionGrade) => look(criterionHighlightGroup(id))
  const editButton = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(formOpen)
  useEffect(() => {
    // The form took the focus with it as it went.
    if (wasOpen.current && !formOpen) editButton.current?.focus({ preventScroll: true })
    wasOpen.current = formOpen
  }, [formOpen])
  return (
    <div className={classes.root} data-grade-card>
      {formOpen ? (
        <GradeForm review={review} />
      ) : (
        <GradeHeader grade={grade} edit={review.edit} editButton={editButton} />
      )}
      {belowScore}
      {grade.needs_review && <ReviewReasons grade={grade} selected={selected} select={select} />}
      {grade.criterion_grades_collection.length > 0 && (
        <CriterionList
          grade={grade}
          fieldOf={(criterion, chosen) =>
            (formOpen || chosen || fields.isChanged('points', criterion) || isToGrade(criterion, grade)) && (
              <CriterionPointsField criterion={criterion} review={review} onFocus={() => showOnPaper(criterion)} />
            )
          }
          feedbackFieldOf={(criterion, chosen) =>
            chosen || fields.isChanged('words', criterion)
              ? (words) => (
                  <CriterionFeedbackField criterion={criterion} review={review}>
                    {words}
                  </CriterionFeedbackField>
                )
              : undefined
          }
          stateOf={(criterion) => <FieldState criterion={criterion} fields={fields} />}
          itemsOf={itemsOf}
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
