import { useMemo, useState } from 'react'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import { criterionHighlights } from '../../grades/criteria/evidence-highlights.ts'
import { StudentRegradeSection } from '../../regrades/StudentRegradeSection.tsx'
import { PaperPane } from '../../submissions/review/PaperPane.tsx'
import screen from '../../submissions/review/ReviewScreen.module.css'
import { SideSheet } from '../../submissions/review/SideSheet.tsx'
import { useHighlightSelection } from '../../submissions/review/useHighlightSelection.ts'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { ReleasedGrade } from '../grades/ReleasedGrade.tsx'
import { EarlierAttempts } from './EarlierAttempts.tsx'
import { FeedbackCriteria } from './FeedbackCriteria.tsx'
import { FeedbackHeader } from './FeedbackHeader.tsx'
import classes from './FeedbackScreen.module.css'
import { GradedPaperButton } from './GradedPaperButton.tsx'
import type { GradedAssignment } from './graded-assignment.ts'

/** One's own paper beside what came back, as the teacher sees it; on a phone the grade is a sheet from below. */
export function FeedbackScreen({
  assignment,
  reload,
}: {
  assignment: GradedAssignment
  reload: () => Promise<unknown>
}) {
  const { id, submission_id, title, course, criterion_grades: criteria, turned_pages } = assignment
  const places = useHighlightSelection()
  const [sheetOpen, setSheetOpen] = useState(false)
  usePageTitle(`${title} · ${course.name}`)

  const marks = useMemo(() => criterionHighlights(criteria), [criteria])
  const chooseInList = (group: string) => {
    places.selectInCard(group)
    // On a phone the sheet would lie over what is to be seen.
    if (marks.some((mark) => mark.group === group)) setSheetOpen(false)
  }
  const chooseOnPaper = (group: string) => {
    places.selectOnPaper(group)
    setSheetOpen(true)
  }

  return (
    <div className={screen.root} data-fills>
      <FeedbackHeader assignment={assignment} />
      <div className={screen.panes}>
        <PaperPane
          submission={{ assignment_id: id, id: submission_id, next_id: null, turned_pages }}
          highlights={marks}
          highlightSelection={places}
          select={chooseOnPaper}
        />
        <SideSheet
          label="Your grade"
          open={sheetOpen}
          setOpen={setSheetOpen}
          edge={<ScoreBadge score={assignment.overall_score} />}
        >
          <div className={classes.side}>
            <section aria-labelledby="result">
              <h2 id="result" className={classes.heading}>
                Result
              </h2>
              <ReleasedGrade assignment={assignment} />
              <GradedPaperButton assignmentId={id} title={title} />
            </section>
            {criteria.length > 0 && (
              <FeedbackCriteria assignment={assignment} highlightSelection={places} select={chooseInList} />
            )}
            <StudentRegradeSection assignment={assignment} onRequested={reload} />
            <EarlierAttempts assignmentId={id} attempts={assignment.earlier_attempts} />
            <AiDisclosureNote here />
          </div>
        </SideSheet>
      </div>
    </div>
  )
}
