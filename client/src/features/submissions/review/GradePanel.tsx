import type { Assignment } from '@assay/shared/assignments.ts'
import type { Grade } from '@assay/shared/grades.ts'
import { letterGrade } from '@assay/shared/rules/letter-grades.ts'
import { formatPercent, pointsInWords } from '@assay/shared/rules/points.ts'
import { type PaperPenalty, waiveLatePenalty } from '@assay/shared/score-rules.ts'
import type { Submission } from '@assay/shared/submissions.ts'
import { useEffect, useRef, useState } from 'react'
import { SecondaryButton, SubtleButton } from '../../../components/display/buttons.tsx'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { UnsavedChangesModal } from '../../../components/feedback/ConfirmModal.tsx'
import { Notice } from '../../../components/feedback/Notice.tsx'
import { SideSheet } from '../../../components/layout/SideSheet.tsx'
import { messageOf } from '../../../lib/api/api-error.ts'
import { type QueryResult, useRevalidate, useSend } from '../../../lib/api/api-hooks.ts'
import type { HighlightSelection } from '../../../lib/hooks/useHighlightSelection.ts'
import { useKeyboardShortcuts } from '../../../lib/hooks/useKeyboardShortcuts.ts'
import { useUnsavedChanges } from '../../../lib/hooks/useUnsavedChanges.ts'
import { toast } from '../../../lib/toast.ts'
import { criterionHighlightGroup } from '../../grades/criteria/evidence-highlights.ts'
import { GradeActions } from '../../grades/GradeActions.tsx'
import { GradeCard } from '../../grades/GradeCard.tsx'
import { focusNextToGrade, isToGrade } from '../../grades/grade-labels.ts'
import { AdjustedScoreLine, ScoreSteps } from '../../grades/score-rules/AdjustedScoreLine.tsx'
import { useGradeReview } from '../../grades/useGradeReview.ts'
import { GroupExceptions } from '../../groups/GroupExceptions.tsx'
import { LmsScoreStatus } from '../../lti/scores/LmsScoreStatus.tsx'
import { useLmsScores } from '../../lti/scores/useLmsScores.ts'
import { RegradePanel } from '../../regrades/RegradePanel.tsx'
import { scoredBy } from '../list/row-status.ts'
import { matchedByText } from '../match/match-reason-labels.ts'
import { CriterionItems } from './CriterionItems.tsx'
import classes from './GradePanel.module.css'
import { GradeStatusBadge } from './ReviewHeader.tsx'
import { GradeSkeleton } from './ReviewSkeleton.tsx'
import { studentName } from './student-name.ts'

interface Props {
  submission: Submission & { grade: Grade }
  loaded: QueryResult<Submission>
  assignment: Assignment | undefined
  highlightSelection: HighlightSelection
  select: (group: string) => void
  sheetOpen: boolean
  setSheetOpen: (open: boolean) => void
  showHistory: () => void
  openNext: () => void
  /** Until then only its edge is drawn. */
  isDrawn: boolean
  /** Opened to grade by hand: begins at the first answer without a score. */
  inQueue: boolean
  openNextByHand: () => void
}

export function GradePanel(props: Props) {
  const { submission, loaded, assignment, highlightSelection, select, sheetOpen, setSheetOpen, showHistory, openNext } =
    props
  const { isDrawn, inQueue, openNextByHand } = props
  const { grade, assignment_id } = submission
  const look = highlightSelection.selectInCard
  const refresh = useRevalidate()
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
  const firstToGrade = grade.criterion_grades_collection.find((criterion) => isToGrade(criterion, grade))
  const begun = useRef(!inQueue || !firstToGrade)
  useEffect(() => {
    if (begun.current || !firstToGrade || !isDrawn) return
    begun.current = true
    look(criterionHighlightGroup(firstToGrade.id))
    focusNextToGrade()
  }, [firstToGrade, isDrawn, look])

  async function saveAndContinue() {
    if (!(await storeAll())) return
    guard.allowNextNavigation()
    openNext()
  }

  async function storeAll(): Promise<boolean> {
    if (review.editing) return await review.save()
    const now = await review.fields.settle()
    if (!now) return false
    const decided = now.reviewed_at !== null && !now.needs_review
    // What has no score cannot be approved: it is passed over.
    return decided || now.unscored_points > 0 || (await review.approve())
  }

  function cancel() {
    if (review.unsavedForm) setCancelling(true)
    else review.discard()
  }

  const byNumber = grade.criterion_grades_collection
    .slice(0, 9)
    .map(({ id }, index): [string, () => void] => [String(index + 1), () => select(criterionHighlightGroup(id))])
  const shortcuts = {
    ...Object.fromEntries(byNumber),
    e: () => {
      setSheetOpen(true)
      review.edit()
    },
    h: () => {
      setSheetOpen(true)
      if (!focusNextToGrade()) openNextByHand()
    },
    Escape: review.editing ? cancel : undefined,
    z: review.fields.undo ?? undefined,
    'mod+Enter': () => void saveAndContinue(),
  }
  // A key must not approve what nobody has seen yet.
  useKeyboardShortcuts(isDrawn ? shortcuts : {})

  return (
    <SideSheet
      label="Grade"
      open={sheetOpen}
      setOpen={setSheetOpen}
      edge={
        <>
          <ScoreBadge
            score={grade.final_score_after_review}
            partial={grade.unscored_points > 0}
            {...scoredBy(submission)}
          />
          {grade.points && <span className={classes.points}>{pointsInWords(grade.points)}</span>}
          <AdjustedScoreLine adjusted={submission.adjusted} withPoints={false} />
          <GradeStatusBadge grade={grade} />
        </>
      }
      actions={
        isDrawn && (
          <GradeActions
            review={review}
            reader={assignment?.status === 'published' && submission.student ? studentName(submission) : null}
            isLast={submission.next_id === null}
            cancel={cancel}
            saveAndContinue={() => void saveAndContinue()}
          />
        )
      }
    >
      {isDrawn ? (
        <>
          {submission.regrade && (
            <RegradePanel
              submission={submission}
              review={review}
              look={highlightSelection.showOnPaper}
              answered={loaded.reload}
            />
          )}
          <GradeCard
            review={review}
            selected={highlightSelection.selected}
            hovered={highlightSelection.hovered}
            select={select}
            hover={highlightSelection.hover}
            look={look}
            itemsOf={(criterion) => (
              <CriterionItems
                submission={submission}
                criterion={criterion}
                editing={review.editing}
                settle={review.fields.settle}
                changed={async () => {
                  await loaded.reload()
                  void refresh(`/assignments/${assignment_id}`)
                }}
              />
            )}
            belowScore={
              <>
                <PaperAdjustment
                  submission={submission}
                  changed={(penalty) => {
                    loaded.patch((now) => withPenalty(now, penalty))
                    void refresh(`/assignments/${assignment_id}`)
                  }}
                />
                <GroupExceptions submission={submission} changed={loaded.reload} />
                <LmsScoreStatus
                  scores={lms.byPaper.get(submission.id)}
                  of={studentName(submission)}
                  sendAgain={() => lms.sendAgain([submission.id])}
                  sending={lms.sending}
                />
              </>
            }
            footer={
              <>
                {submission.matched_by && <p>{matchedByText(submission.matched_by)}</p>}
                <SubtleButton size="compact-sm" onClick={showHistory}>
                  Grade history
                </SubtleButton>
              </>
            }
          />
        </>
      ) : (
        <GradeSkeleton />
      )}
      <UnsavedChangesModal
        opened={guard.isBlocked || cancelling}
        stay={() => {
          guard.stay()
          setCancelling(false)
        }}
        discard={() => {
          review.discard()
          if (!cancelling) review.fields.revertAll()
          setCancelling(false)
          guard.proceed()
        }}
      >
        Your changes to this grade have not been saved.
      </UnsavedChangesModal>
    </SideSheet>
  )
}

function withGrade(submission: Submission, grade: Grade): Submission {
  return {
    ...submission,
    grade,
    manual_score_override: grade.manual_score_override,
    final_score_after_review: grade.final_score_after_review,
    unscored_points: grade.unscored_points,
    points: grade.points,
    needs_review: grade.needs_review,
    reviewed: grade.reviewed_at !== null,
    released: grade.released,
  }
}

function withPenalty(
  { adjusted: _, late_waived: __, ...submission }: Submission,
  { adjusted, late_waived }: PaperPenalty,
): Submission {
  return { ...submission, ...(adjusted ? { adjusted } : {}), ...(late_waived ? { late_waived } : {}) }
}

interface PaperAdjustmentProps {
  submission: Pick<Submission, 'id' | 'assignment_id' | 'adjusted' | 'late_waived'>
  changed: (now: PaperPenalty) => void
}

function PaperAdjustment({ submission, changed }: PaperAdjustmentProps) {
  const { id, assignment_id, adjusted, late_waived = false } = submission
  const waive = useSend(waiveLatePenalty)
  const late = adjusted?.steps.some(({ kind }) => kind === 'late') ?? false
  if (!adjusted && !late_waived) return null

  async function setWaived(waived: boolean) {
    const now = await waive.attempt({ params: { assignmentId: assignment_id, submissionId: id }, body: { waived } })
    if (!now) return
    changed(now)
    toast.success(waived ? 'Late penalty waived for this paper.' : 'Late penalty applied again.')
  }

  return (
    <section className={classes.adjustment} aria-label="Score that counts">
      <div className={classes.words}>
        {adjusted && (
          <>
            <p className={classes.score}>
              Counts as <strong>{formatPercent(adjusted.score)}</strong> {letterGrade(adjusted.score)},{' '}
              {pointsInWords(adjusted.points)}
            </p>
            <ScoreSteps adjusted={adjusted} />
          </>
        )}
        {late_waived && <p className={classes.waived}>Late penalty waived</p>}
      </div>
      {(late || late_waived) && (
        // One button for both, so that it keeps the focus.
        <SecondaryButton size="compact-sm" loading={waive.sending} onClick={() => void setWaived(!late_waived)}>
          {late_waived ? 'Apply penalty' : 'Waive penalty'}
        </SecondaryButton>
      )}
      {waive.error && <Notice tone="bad">{messageOf(waive.error, 'The penalty could not be changed.')}</Notice>}
    </section>
  )
}
