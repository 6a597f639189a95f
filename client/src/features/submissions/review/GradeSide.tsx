import type { Assignment } from '@assay/shared/assignments.ts'
import type { Grade } from '@assay/shared/grades.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { ScoreBadge } from '../../../components/ScoreBadge.tsx'
import { StatusMark } from '../../../components/StatusMark.tsx'
import { UnsavedChangesModal } from '../../../components/UnsavedChangesModal.tsx'
import { type Loaded, useRefresh } from '../../../lib/api.ts'
import { useShortcuts } from '../../../lib/useShortcuts.ts'
import { useUnsavedChanges } from '../../../lib/useUnsavedChanges.ts'
import { criterionGroup } from '../../grades/evidence-marks.ts'
import { GradeActions } from '../../grades/GradeActions.tsx'
import { GradeCard } from '../../grades/GradeCard.tsx'
import { useGradeReview } from '../../grades/useGradeReview.ts'
import { ScoreMarks } from '../../lti/scores/ScoreMarks.tsx'
import { useLmsScores } from '../../lti/scores/useLmsScores.ts'
import { RegradePanel } from '../../regrades/RegradePanel.tsx'
import { Sheet } from './Sheet.tsx'
import { nameOf } from './student-name.ts'
import type { Places } from './usePlaces.ts'

interface Props {
  submission: Submission & { grade: Grade }
  loaded: Loaded<Submission>
  assignment: Assignment | undefined
  places: Places
  choose: (group: string) => void
  sheetOpen: boolean
  setSheetOpen: (open: boolean) => void
  showHistory: () => void
  openNext: () => void
}

/** The grade card with what guards it: keys, unsaved words, what follows a save. */
export function GradeSide(props: Props) {
  const { submission, loaded, assignment, places, choose, sheetOpen, setSheetOpen, showHistory, openNext } =
    props
  const { grade, assignment_id } = submission
  const refresh = useRefresh()
  const lms = useLmsScores(assignment, [submission.id])
  const [cancelling, setCancelling] = useState(false)

  const review = useGradeReview(submission, {
    saved: (stored) => {
      loaded.patch((now) => withGrade(now, stored))
      void refresh(`/assignments/${assignment_id}`)
    },
    changedElsewhere: loaded.reload,
  })
  const guard = useUnsavedChanges(review.unsaved)

  async function goOn() {
    const decided = grade.reviewed_at !== null && !grade.needs_review
    const done = review.editing ? await review.save() : decided || (await review.approve())
    if (!done) return
    guard.release()
    openNext()
  }

  function cancel() {
    if (review.unsaved) setCancelling(true)
    else review.discard()
  }

  const byNumber = grade.criterion_grades_collection
    .slice(0, 9)
    .map(({ id }, index): [string, () => void] => [String(index + 1), () => choose(criterionGroup(id))])
  useShortcuts({
    ...Object.fromEntries(byNumber),
    e: () => {
      setSheetOpen(true)
      review.edit()
    },
    Escape: review.editing ? cancel : undefined,
    'mod+Enter': () => void goOn(),
  })

  return (
    <Sheet
      label="Grade"
      open={sheetOpen}
      setOpen={setSheetOpen}
      edge={
        <>
          <ScoreBadge
            score={grade.final_score_after_review}
            who={grade.manual_score_override === null ? 'ai' : 'teacher'}
          />
          {grade.needs_review ? (
            <StatusMark status="flagged">Flagged for Review</StatusMark>
          ) : (
            <StatusMark status="graded">Approved</StatusMark>
          )}
        </>
      }
      actions={
        <GradeActions
          review={review}
          reader={assignment?.status === 'published' && submission.student ? nameOf(submission) : null}
          last={submission.next_id === null}
          cancel={cancel}
          goOn={() => void goOn()}
        />
      }
    >
      {submission.regrade && (
        <RegradePanel submission={submission} review={review} answered={loaded.reload} />
      )}
      <GradeCard
        review={review}
        chosen={places.chosen}
        pointed={places.pointed}
        choose={choose}
        point={places.point}
        beneath={
          <ScoreMarks
            scores={lms.byPaper.get(submission.id)}
            of={nameOf(submission)}
            sendAgain={() => lms.sendAgain([submission.id])}
            sending={lms.sending}
          />
        }
        ending={
          <Button variant="subtle" size="compact-sm" onClick={showHistory}>
            How this grade came to be
          </Button>
        }
      />
      <UnsavedChangesModal
        opened={guard.asking || cancelling}
        stay={() => {
          guard.stay()
          setCancelling(false)
        }}
        discard={() => {
          review.discard()
          setCancelling(false)
          guard.leave()
        }}
      >
        What you typed for this grade has not been saved.
      </UnsavedChangesModal>
    </Sheet>
  )
}

/** The submission as it stands once the grade is stored; the next reload says the same. */
function withGrade(submission: Submission, grade: Grade): Submission {
  return {
    ...submission,
    grade,
    manual_score_override: grade.manual_score_override,
    final_score_after_review: grade.final_score_after_review,
    needs_review: grade.needs_review,
    reviewed: grade.reviewed_at !== null,
    released: grade.released,
  }
}
