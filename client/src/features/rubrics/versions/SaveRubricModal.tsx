import type { QuestionRef } from '@assay/shared/rules/rubric-changes.ts'
import { rubricChanges } from '@assay/shared/rules/rubric-changes.ts'
import { openProblems } from '@assay/shared/rules/rubric-problems.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../components/feedback/ConfirmModal.tsx'
import { plural } from '../../../lib/format.ts'
import classes from '../editor/RubricEditor.module.css'
import { OpenProblemsNotice } from '../problems/OpenProblemsNotice.tsx'
import { questionsLabel } from '../rubric-draft.ts'
import type { RubricDraft } from '../useRubricDraft.ts'

interface Props {
  opened: boolean
  close: () => void
  draft: RubricDraft
  /** How many papers have a grade. */
  graded: number
  save: (note: string, regrade: boolean) => Promise<void>
  /** Confirms the rubric as well, whose open problems are then told. */
  toConfirm: boolean
}

const numbers = (list: QuestionRef[]) => list.map(({ number }) => number)

/** Says which grades a change touches and which problems are still open, before it is saved or confirmed. */
export function SaveRubricModal({ opened, close, draft, graded, save, toConfirm }: Props) {
  const [note, setNote] = useState('')
  const [regrade, setRegrade] = useState(false)
  const { changed, added, removed } = rubricChanges(draft.base, draft.rubric)
  const grades = plural(graded, 'grade')
  const rest = graded === 1 ? 'rests' : 'rest'
  const touched = graded > 0 && changed.length + added.length + removed.length > 0
  const open = toConfirm ? openProblems(draft) : []
  return (
    <ConfirmModal
      opened={opened}
      close={close}
      title={toConfirm ? 'Confirm the rubric?' : 'Save the rubric?'}
      confirmLabel={confirmLabel(toConfirm, touched && regrade, open.length > 0)}
      onConfirm={async () => {
        await save(note.trim(), regrade)
        setNote('')
        setRegrade(false)
      }}
    >
      <div className={classes.stack}>
        {open.length > 0 && <OpenProblemsNotice problems={open} />}
        {touched && (
          <>
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
                  {grades} still {graded === 1 ? 'counts' : 'count'} {questionsLabel(numbers(removed))}, which you
                  removed.
                </li>
              )}
            </ul>
            <span>
              Existing grades are kept and marked as outdated until you regrade. The scores you gave are kept, and
              students see nothing new until you release it.
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
          </>
        )}
      </div>
    </ConfirmModal>
  )
}

function confirmLabel(toConfirm: boolean, regrade: boolean, withProblems: boolean): string {
  if (!toConfirm) return regrade ? 'Save and Regrade' : 'Save Rubric'
  const confirm = withProblems ? 'Confirm Anyway' : 'Confirm Rubric'
  return regrade ? `${confirm} and Regrade` : confirm
}
