import type { CriterionGrade } from '@assay/shared/grades.ts'
import { IconCheck } from '@tabler/icons-react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import type { CriterionFields } from '../useCriterionFields.ts'
import classes from './FieldState.module.css'

export function FieldState({ criterion, fields }: { criterion: CriterionGrade; fields: CriterionFields }) {
  const { lastStored, undo } = fields
  const problem = fields.problemOf(criterion)
  const canSave = fields.isChanged('points', criterion) || fields.isChanged('words', criterion)
  if (problem)
    return (
      <div className={classes.problem} role="alert">
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
    <div className={classes.saved}>
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
