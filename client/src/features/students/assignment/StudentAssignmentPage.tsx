import { getStudentAssignment, type StudentAssignmentDetails } from '@assay/shared/students.ts'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Attribution } from '../../../components/display/Attribution.tsx'
import { ScoreBadge } from '../../../components/display/ScoreBadge.tsx'
import { LoadError, Page, PageSkeleton } from '../../../components/layout/Page.tsx'
import { SideSheet } from '../../../components/layout/SideSheet.tsx'
import { usePageTitle } from '../../../components/layout/usePageTitle.ts'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { type HighlightSelection, useHighlightSelection } from '../../../lib/hooks/useHighlightSelection.ts'
import { useRouteIds } from '../../../lib/hooks/useRouteIds.ts'
import { scrollWithinContainer } from '../../../lib/scroll-within-container.ts'
import { studentCoursePath } from '../../../paths.ts'
import list from '../../grades/criteria/CriterionList.module.css'
import { CriterionRow, tagColumn } from '../../grades/criteria/CriterionRow.tsx'
import { criterionHighlightGroup, criterionHighlights } from '../../grades/criteria/evidence-highlights.ts'
import { beginsQuestion, criterionTags } from '../../grades/grade-labels.ts'
import { OwnGroupPanel } from '../../groups/OwnGroupPanel.tsx'
import { StudentRegradeSection } from '../../regrades/StudentRegradeSection.tsx'
import { PaperPane } from '../../submissions/review/PaperPane.tsx'
import { HeaderFact, ReviewHeaderFrame } from '../../submissions/review/ReviewHeaderFrame.tsx'
import screen from '../../submissions/review/ReviewScreen.module.css'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { BackToDashboard, NotFoundScreen } from '../courses/StudentCourseStates.tsx'
import { ReleasedGrade } from '../grades/ReleasedGrade.tsx'
import { isScoreOverridden } from '../work-status.ts'
import { DownloadPaperButton } from './DownloadPaperButton.tsx'
import { EarlierAttempts, HandInScreen } from './HandInScreen.tsx'
import classes from './StudentAssignmentPage.module.css'

export function StudentAssignmentPage() {
  const ids = useRouteIds('assignmentId')
  const assignment = useGet(getStudentAssignment, ids)

  if (assignment.data) {
    const { id, released_at, submission_id } = assignment.data
    // Text typed for one assignment must not appear in the next.
    if (released_at !== null && submission_id !== null) {
      return <FeedbackScreen key={id} assignment={{ ...assignment.data, submission_id }} reload={assignment.reload} />
    }
    return (
      <HandInScreen
        key={id}
        assignment={assignment.data}
        handedIn={(now) => assignment.patch(() => now)}
        reload={assignment.reload}
      />
    )
  }
  if (assignment.error?.status === 404) {
    return (
      <NotFoundScreen title="Assignment Not Found">
        It is not published, or it belongs to a course you are not enrolled in.
      </NotFoundScreen>
    )
  }
  if (assignment.error) {
    return (
      <Page>
        <LoadError isWhole error={assignment.error} retry={assignment.reload} title="Failed to Load Assignment">
          <BackToDashboard />
        </LoadError>
      </Page>
    )
  }
  return <PageSkeleton label="Loading the assignment" />
}

function FeedbackScreen({ assignment, reload }: { assignment: GradedAssignment; reload: () => Promise<unknown> }) {
  const { id, submission_id, title, course, criterion_grades: criteria, turned_pages, pen_marks = [] } = assignment
  const places = useHighlightSelection()
  const [sheetOpen, setSheetOpen] = useState(false)
  usePageTitle(`${title} · ${course.name}`)

  const marks = useMemo(() => criterionHighlights(criteria), [criteria])
  const chooseInList = (group: string) => {
    places.selectInCard(group)
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
          pen={{ marks: pen_marks, edit: null }}
        />
        <SideSheet
          label="Your grade"
          open={sheetOpen}
          setOpen={setSheetOpen}
          edge={<ScoreBadge score={assignment.overall_score} />}
        >
          <div className={classes.side}>
            <section aria-labelledby="result">
              <h2 id="result" className="subheading">
                Result
              </h2>
              <ReleasedGrade assignment={assignment} />
              <DownloadPaperButton graded assignmentId={id} submissionId={submission_id} title={title} />
            </section>
            {criteria.length > 0 && (
              <FeedbackCriteria assignment={assignment} highlightSelection={places} select={chooseInList} />
            )}
            <StudentRegradeSection assignment={assignment} onRequested={reload} />
            <OwnGroupPanel assignmentId={id} hasPaper changed={reload} />
            <EarlierAttempts assignmentId={id} attempts={assignment.earlier_attempts} />
            <AiDisclosureNote here />
          </div>
        </SideSheet>
      </div>
    </div>
  )
}

function FeedbackHeader({ assignment }: { assignment: GradedAssignment }) {
  const { id, title, course, submission_id, submission_date, late } = assignment
  const back = studentCoursePath(course.id)
  return (
    <ReviewHeaderFrame
      back={back}
      backLabel="Back to the course"
      crumbs={[{ label: course.name, to: back }, { label: 'Your work' }]}
      title={title}
      facts={
        submission_date && (
          <HeaderFact>
            Handed in <time dateTime={submission_date}>{formatDateTime(submission_date)}</time>
            {late && ', late'}
          </HeaderFact>
        )
      }
    >
      <DownloadPaperButton assignmentId={id} submissionId={submission_id} title={title} />
    </ReviewHeaderFrame>
  )
}

interface Props {
  assignment: GradedAssignment
  highlightSelection: HighlightSelection
  select: (group: string) => void
}

function FeedbackCriteria({ assignment, highlightSelection, select }: Props) {
  const rows = useRef<HTMLOListElement>(null)
  const { selected, hovered, hover } = highlightSelection
  const tags = criterionTags(assignment.criterion_grades)
  useEffect(() => {
    const row = selected && rows.current?.querySelector('[data-chosen]')
    if (row) scrollWithinContainer(row)
  }, [selected])
  return (
    <section>
      <h2 className={list.heading}>Criteria</h2>
      {isScoreOverridden(assignment) && (
        <p>Your instructor set the overall score. The points below are the AI’s suggestion.</p>
      )}
      <ol ref={rows} className={list.list} style={tagColumn(tags)}>
        {assignment.criterion_grades.map(({ feedback, ...criterion }, index) => {
          const group = criterionHighlightGroup(criterion.id)
          return (
            <CriterionRow
              key={criterion.id}
              criterion={{ ...criterion, llm_feedback: feedback }}
              tag={tags[index] ?? ''}
              question={beginsQuestion(assignment.criterion_grades, index) ? criterion.label?.question : undefined}
              selected={group === selected}
              hovered={group === hovered}
              select={() => select(group)}
              hover={(on) => hover(on ? group : null)}
              level={
                criterion.score_by === 'teacher' ? (
                  <Attribution who="teacher">points by your instructor</Attribution>
                ) : (
                  criterion.score === null && assignment.unscored_points > 0 && 'Not graded yet'
                )
              }
            />
          )
        })}
      </ol>
    </section>
  )
}

type GradedAssignment = StudentAssignmentDetails & { submission_id: number }
