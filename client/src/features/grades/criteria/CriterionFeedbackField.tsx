import { type CriterionGrade, MAX_CRITERION_FEEDBACK_LENGTH } from '@assay/shared/grades.ts'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { MathTextarea } from '../../../components/math/MathTextarea.tsx'
import { fieldKey } from '../grade-form.ts'
import { criterionTitle } from '../grade-labels.ts'
import type { CriterionFields } from '../useCriterionFields.ts'
import type { GradeReview } from '../useGradeReview.ts'
import stateClasses from './CriterionFeedbackField.module.css'

interface Props {
  criterion: CriterionGrade
  review: GradeReview
  children: ReactNode
}

export function CriterionFeedbackField({ criterion, review, children }: Props) {
  const { llm_feedback, items = [] } = criterion
  const { fields } = review
  const [opened, setOpened] = useState(false)
  // The field took the focus with it.
  const [closedByKey, setClosedByKey] = useState(false)
  const title = criterionTitle(criterion)
  const adds = items.length > 0
  if (!opened && !fields.isChanged('words', criterion))
    return (
      <div className={stateClasses.feedback}>
        {children}
        <SubtleButton
          size="compact-xs"
          autoFocus={closedByKey}
          aria-label={`${adds ? 'Add your own words' : 'Edit feedback'} for “${title}”`}
          onClick={() => {
            setOpened(true)
            setClosedByKey(false)
            if (fields.textOf('words', criterion) === '' && !adds && llm_feedback)
              fields.change('words', criterion, llm_feedback)
          }}
        >
          {adds ? 'Add your own words' : 'Edit feedback'}
        </SubtleButton>
      </div>
    )
  return (
    <div className={stateClasses.feedback}>
      {adds && children}
      <MathTextarea
        aria-label={`Your feedback for “${title}”`}
        description={adds ? undefined : 'Leave empty to keep the AI’s words.'}
        size="xs"
        autoFocus
        minRows={2}
        maxRows={8}
        maxLength={MAX_CRITERION_FEEDBACK_LENGTH}
        data-path={fieldKey('words', criterion)}
        value={fields.textOf('words', criterion)}
        onChange={(event) => fields.change('words', criterion, event.currentTarget.value)}
        onBlur={() => {
          setOpened(false)
          fields.leave('words', criterion)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || review.editing) return
          fields.revert('words', criterion)
          setClosedByKey(true)
          setOpened(false)
        }}
      />
    </div>
  )
}

export function FieldState({ criterion, fields }: { criterion: CriterionGrade; fields: CriterionFields }) {
  const { lastStored, undo } = fields
  const problem = fields.problemOf(criterion)
  const canSave = fields.isChanged('points', criterion) || fields.isChanged('words', criterion)
  if (problem)
    return (
      <div className={stateClasses.problem} role="alert">
        <Notice
          tone="warn"
          actions={
            canSave && (
              <SecondaryButton size="compact-xs" onClick={() => fields.saveAgain(criterion)}>
                Save again
              </SecondaryButton>
            )
          }
        >
          {problem}
        </Notice>
      </div>
    )
  if (lastStored?.criterionId !== criterion.criterion_id) return null
  return (
    <div className={stateClasses.saved}>
      <IconCheck size={14} aria-hidden />
      <span>{lastStored.word}</span>
      {lastStored.word === 'Saved' && undo && (
        <SubtleButton size="compact-xs" aria-keyshortcuts="z" onClick={undo}>
          Undo
        </SubtleButton>
      )}
    </div>
  )
}
