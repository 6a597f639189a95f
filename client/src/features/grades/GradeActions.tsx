import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { SecondaryButton, SubtleButton } from '../../components/display/buttons.tsx'
import { Notice } from '../../components/feedback/Notice.tsx'
import { formatDateTime } from '../../lib/format.ts'
import { useToastsAbove } from '../../lib/hooks/useToastsAbove.ts'
import classes from './GradeActions.module.css'
import type { GradeReview } from './useGradeReview.ts'

interface Props {
  review: GradeReview
  /** Who reads it once saved; null while the assignment is a draft. */
  reader: string | null
  isLast: boolean
  cancel: () => void
  saveAndContinue: () => void
}

export function GradeActions({ review, reader, isLast, cancel, saveAndContinue }: Props) {
  const { grade, editing, saving, error } = review
  const decided = grade.reviewed_at !== null && !grade.needs_review
  const foot = useRef<HTMLElement>(null)
  useToastsAbove(foot)
  const main = useRef<HTMLButtonElement>(null)
  const undecided = useRef(!decided)
  useEffect(() => {
    // Approve goes once it is done, and would take the focus with it.
    if (undecided.current && decided && document.activeElement === document.body) main.current?.focus()
    undecided.current = !decided
  }, [decided])
  return (
    <footer ref={foot} className={classes.root}>
      {error && (
        <Notice tone="bad" title="Failed to save changes.">
          {error.message}
        </Notice>
      )}
      <p className={classes.note}>{decisionNote(review, reader, decided)}</p>
      <div className={classes.buttons}>
        {editing ? (
          <>
            <SubtleButton color="gray" onClick={cancel} disabled={saving}>
              Cancel
            </SubtleButton>
            <SecondaryButton onClick={() => void review.save()} loading={saving}>
              Save Changes
            </SecondaryButton>
          </>
        ) : (
          !decided &&
          grade.unscored_points === 0 && (
            <SecondaryButton
              leftSection={<IconCheck size={16} aria-hidden />}
              onClick={() => void review.approve()}
              loading={saving}
            >
              Approve
            </SecondaryButton>
          )
        )}
        <Button
          ref={main}
          onClick={saveAndContinue}
          disabled={saving}
          className={classes.main}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          {continueLabel(editing, decided || grade.unscored_points > 0, isLast)}
          <span className={classes.key} aria-hidden="true">
            {modKey()} ⏎
          </span>
        </Button>
      </div>
    </footer>
  )
}

function continueLabel(editing: boolean, nothingToApprove: boolean, last: boolean): string {
  const then = last ? 'finish' : 'next'
  if (editing) return `Save and ${then}`
  if (nothingToApprove) return last ? 'Back to the list' : 'Next paper'
  return `Approve and ${then}`
}

function decisionNote({ grade, editing }: GradeReview, reader: string | null, decided: boolean): string | null {
  if (decided && !editing && grade.reviewed_at) return `Reviewed by a teacher on ${formatDateTime(grade.reviewed_at)}.`
  if (!editing && grade.unscored_points > 0)
    return 'Enter points for the answers without a score. Students see no total until then.'
  if (reader)
    return grade.released
      ? `Published: ${reader} can see this grade and will see each change you save.`
      : `Published: ${reader} will see this grade when you approve or change it.`
  const hasOwn = grade.criterion_grades_collection.some(({ teacher_score }) => teacher_score !== undefined)
  return !editing && hasOwn ? 'Your points are saved. Approve when the rest is right, too.' : null
}

const modKey = () => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl')
