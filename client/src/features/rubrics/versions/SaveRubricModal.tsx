import type { QuestionRef } from '@assay/shared/rules/rubric-changes.ts'
import { rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import classes from '../editor/RubricEditor.module.css'
import { questionsLabel } from '../rubric-draft.ts'
import type { RubricDraft } from '../useRubricDraft.ts'

interface Props {
  opened: boolean
  close: () => void
  draft: RubricDraft
  /** How many papers have a grade. */
  graded: number
  save: (note: string, regrade: boolean) => Promise<void>
}

const numbers = (list: QuestionRef[]) => list.map(({ number }) => number)

/** Says which grades a change touches, before it is saved. */
export function SaveRubricModal({ opened, close, draft, graded, save }: Props) {
  const [note, setNote] = useState('')
  const [regrade, setRegrade] = useState(false)
  const { changed, added, removed } = rubricChanges(draft.base, draft.rubric)
  const grades = plural(graded, 'grade')
  const rest = graded === 1 ? 'rests' : 'rest'
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title="Save the rubric?"
      confirmLabel={regrade ? 'Save and Regrade' : 'Save Rubric'}
      onConfirm={async () => {
        await save(note.trim(), regrade)
        setNote('')
        setRegrade(false)
      }}
    >
      <div className={classes.stack}>
        <ul className={classes.changes}>
          {changed.length > 0 && (
            <li>
              {grades} {rest} on {questionsLabel(numbers(changed))}, which changed.
            </li>
          )}
          {added.length > 0 && (
            <li>
              {grades} {graded === 1 ? 'does' : 'do'} not have {questionsLabel(numbers(added))} yet.
            </li>
          )}
          {removed.length > 0 && (
            <li>
              {grades} still {graded === 1 ? 'counts' : 'count'} {questionsLabel(numbers(removed))}, which you removed.
            </li>
          )}
        </ul>
        <span>
          Existing grades are kept and marked as outdated until you regrade. Your overrides are kept, and students see
          nothing new until you release it.
        </span>
        <Checkbox
          label={`Regrade ${plural(graded, 'paper')} now (changed questions only)`}
          checked={regrade}
          onChange={(event) => setRegrade(event.currentTarget.checked)}
        />
        <TextInput
          label="Version note"
          placeholder="Optional"
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
    </ConfirmModal>
  )
}
