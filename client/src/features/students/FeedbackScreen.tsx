import type { StudentAssignmentDetails } from '@assay/shared/students.ts'
import { useMemo, useState } from 'react'
import { ScoreBadge } from '../../components/ScoreBadge.tsx'
import { usePageTitle } from '../../components/usePageTitle.ts'
import { criterionMarks } from '../grades/evidence-marks.ts'
import { AskRegrade } from '../regrades/AskRegrade.tsx'
import { PaperPane } from '../submissions/review/PaperPane.tsx'
import screen from '../submissions/review/ReviewScreen.module.css'
import { Sheet } from '../submissions/review/Sheet.tsx'
import { usePlaces } from '../submissions/review/usePlaces.ts'
import { AiNote } from './AiNote.tsx'
import { EarlierAttempts } from './EarlierAttempts.tsx'
import { FeedbackBar } from './FeedbackBar.tsx'
import { FeedbackCriteria } from './FeedbackCriteria.tsx'
import classes from './FeedbackScreen.module.css'
import { ReleasedGrade } from './ReleasedGrade.tsx'

export type GradedAssignment = StudentAssignmentDetails & { submission_id: number }

/** One's own paper beside what came back, as the teacher sees it; on a phone the grade is a sheet from below. */
export function FeedbackScreen({
  assignment,
  reload,
}: {
  assignment: GradedAssignment
  reload: () => Promise<unknown>
}) {
  const { id, submission_id, title, course, criterion_grades: criteria, turned_pages } = assignment
  const places = usePlaces()
  const [sheetOpen, setSheetOpen] = useState(false)
  usePageTitle(`${title} · ${course.name}`)

  const marks = useMemo(() => criterionMarks(criteria), [criteria])
  const chooseInList = (group: string) => {
    places.chooseInCard(group)
    // On a phone the sheet would lie over what is to be seen.
    if (marks.some((mark) => mark.group === group)) setSheetOpen(false)
  }
  const chooseOnPaper = (group: string) => {
    places.chooseOnPaper(group)
    setSheetOpen(true)
  }

  return (
    <div className={screen.root} data-fills>
      <FeedbackBar assignment={assignment} />
      <div className={screen.panes}>
        <PaperPane
          submission={{ assignment_id: id, id: submission_id, next_id: null, turned_pages }}
          marks={marks}
          places={places}
          choose={chooseOnPaper}
        />
        <Sheet
          label="Your grade"
          open={sheetOpen}
          setOpen={setSheetOpen}
          edge={assignment.overall_score !== null && <ScoreBadge score={assignment.overall_score} />}
        >
          <div className={classes.side}>
            <section aria-labelledby="result">
              <h2 id="result" className={classes.heading}>
                Result
              </h2>
              <ReleasedGrade assignment={assignment} />
            </section>
            {criteria.length > 0 && (
              <FeedbackCriteria assignment={assignment} places={places} choose={chooseInList} />
            )}
            <AskRegrade assignment={assignment} asked={reload} />
            <EarlierAttempts assignmentId={id} attempts={assignment.earlier_attempts} />
            <AiNote here />
          </div>
        </Sheet>
      </div>
    </div>
  )
}
