import { type CriterionGrade, MAX_CRITERION_FEEDBACK_LENGTH } from '@assay/shared/grades.ts'
import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { criterionTitle } from '../grade-labels.ts'
import type { GradeReview } from '../useGradeReview.ts'
import classes from './CriterionPointsField.module.css'

interface Props {
  criterion: CriterionGrade
  review: GradeReview
  /** The words as students read them now. */
  children: ReactNode
}

/** The teacher's own words for one criterion, which students read instead of the AI's; they begin as those. */
export function CriterionFeedbackField({ criterion, review, children }: Props) {
  const { criterion_id: id, llm_feedback, items = [] } = criterion
  const { draft, change } = review
  const words = draft.words[id] ?? ''
  const write = (text: string) => change({ words: { ...draft.words, [id]: text } })
  const [opened, setOpened] = useState(false)
  const title = criterionTitle(criterion)
  const adds = items.length > 0
  if (!opened && words === (criterion.teacher_feedback ?? ''))
    return (
      <div className={classes.feedback}>
        {children}
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={`${adds ? 'Add your own words' : 'Edit feedback'} for “${title}”`}
          onClick={() => {
            setOpened(true)
            if (words === '' && !adds && llm_feedback) write(llm_feedback)
          }}
        >
          {adds ? 'Add your own words' : 'Edit feedback'}
        </Button>
      </div>
    )
  return (
    <div className={classes.feedback}>
      {adds && children}
      <Textarea
        aria-label={`Your feedback for “${title}”`}
        description={adds ? undefined : 'Leave empty to keep the AI’s words.'}
        size="xs"
        autosize
        autoFocus
        minRows={2}
        maxRows={8}
        maxLength={MAX_CRITERION_FEEDBACK_LENGTH}
        value={words}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !review.editing) setOpened(false)
        }}
      />
    </div>
  )
}
