import type { StudentAssignment, StudentCourse } from '@assay/shared/students.ts'
import { Tabs } from '@mantine/core'
import { useSearchParams } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton } from '../../../components/display/buttons.tsx'
import { StatusBadge } from '../../../components/display/StatusBadge.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { Card } from '../../../components/layout/Card.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { MathText } from '../../../components/math/MathText.tsx'
import { prefetchPdfViewer } from '../../../components/pdf/prefetch-pdf-viewer.ts'
import type { QueryResult } from '../../../lib/api/api-hooks.ts'
import { formatDate, formatDateTime, formatPoints } from '../../../lib/format.ts'
import { useIdlePrefetch } from '../../../lib/loading/useIdlePrefetch.ts'
import { studentAssignmentPath, studentCourseGradesPath } from '../../../paths.ts'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { AssignmentDates } from '../assignment/AssignmentDates.tsx'
import { DownloadPaperButton } from '../assignment/DownloadPaperButton.tsx'
import { ReleasedGrade } from '../grades/ReleasedGrade.tsx'
import {
  filterLabel,
  isScoreOverridden,
  matchesFilter,
  statusBadges,
  type WorkFilter,
  workFilters,
  workStatus,
} from '../work-status.ts'
import classes from './StudentCoursePage.module.css'
import { CourseTotals, WithStudentCourse } from './StudentCourseStates.tsx'

export function StudentCoursePage() {
  return (
    <WithStudentCourse label="Loading the course">
      {(course, assignments) => <Course course={course} assignments={assignments} />}
    </WithStudentCourse>
  )
}

function Course({ course, assignments }: { course: StudentCourse; assignments: QueryResult<StudentAssignment[]> }) {
  useIdlePrefetch(prefetchPdfViewer, { ready: assignments.data !== undefined && assignments.data.length > 0 })
  const { name, course_code, description, graded_assignment_count } = course
  return (
    <Page width="standard">
      <PageHeader
        title={name}
        subtitle={[course_code, description].filter(Boolean).join(' · ')}
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: course_code ?? 'Course' }]}
        actions={graded_assignment_count > 0 && <LinkButton to={studentCourseGradesPath(course.id)}>Grades</LinkButton>}
      />
      <CourseTotals course={course} />
      <Loaded
        query={assignments}
        title="Failed to load assignments"
        skeleton={<RowSkeletons count={4} label="Loading assignments" />}
      >
        {(data) => <AssignmentList assignments={data} />}
      </Loaded>
    </Page>
  )
}

function AssignmentList({ assignments }: { assignments: StudentAssignment[] }) {
  const [search, setSearch] = useSearchParams()
  const filter = workFilters.find((one) => one === search.get('show')) ?? 'all'
  const shown = (which: WorkFilter) => assignments.filter((one) => matchesFilter(one, which))
  const show = (value: string | null) =>
    setSearch(value && value !== 'all' ? { show: value } : {}, { replace: true, preventScrollReset: true })

  return (
    <Tabs value={filter} onChange={show} keepMounted={false}>
      <Tabs.List className={classes.tabs} aria-label="Assignments">
        {workFilters.map((which) => (
          <Tabs.Tab key={which} value={which} className={classes.tab}>
            {filterLabel(which)} <span className={classes.count}>{shown(which).length}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {workFilters.map((which) => (
        <Tabs.Panel key={which} value={which} className={classes.panel}>
          <h2 className="visually-hidden">{filterLabel(which)}</h2>
          <List assignments={shown(which)} filter={which} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function List({ assignments, filter }: { assignments: StudentAssignment[]; filter: WorkFilter }) {
  if (assignments.length === 0) {
    return (
      <EmptyState
        title={filter === 'all' ? 'No Assignments Yet' : `No ${filterLabel(filter)} Assignments`}
        titleOrder={3}
      >
        {filter === 'all' ? 'Assignments appear here once your instructor publishes them.' : undefined}
      </EmptyState>
    )
  }
  return (
    <>
      {assignments.some((one) => one.released_at !== null) && <AiDisclosureNote />}
      {assignments.map((assignment) => (
        <StudentAssignmentCard key={assignment.id} assignment={assignment} />
      ))}
    </>
  )
}

function StudentAssignmentCard({ assignment }: { assignment: StudentAssignment }) {
  const { id, title, created_at, submission_date, submission_id, criterion_grades, can_hand_in } = assignment
  const work = workStatus(assignment)
  const { status, word } = statusBadges[work]
  const to = studentAssignmentPath(id)
  return (
    <Card label={title}>
      <div className={classes.head}>
        <div className={classes.words}>
          <h3 className={classes.title}>{title}</h3>
          <p className={classes.dates}>
            Created {formatDate(created_at)}
            {submission_date && ` · Handed in ${formatDateTime(submission_date)}`}
          </p>
        </div>
        <span className={classes.marks}>
          <StatusBadge status={status}>{word}</StatusBadge>
          <DueBadge assignment={assignment} />
        </span>
      </div>
      {work !== 'graded' && (
        <div className={classes.due}>
          <AssignmentDates assignment={assignment} />
        </div>
      )}
      {assignment.released_at !== null && <ReleasedGrade assignment={assignment} />}
      {criterion_grades.length > 0 && (
        <div className={classes.criteria}>
          <CriterionScores assignment={assignment} />
        </div>
      )}
      <div className={classes.actions}>
        {work === 'missing' && can_hand_in ? (
          <PrimaryLinkButton to={to} aria-label={`Hand in ${title}`}>
            Hand in
          </PrimaryLinkButton>
        ) : (
          <LinkButton to={to} aria-label={`View Details of ${title}`}>
            View Details
          </LinkButton>
        )}
        {submission_id !== null && <DownloadPaperButton assignmentId={id} submissionId={submission_id} title={title} />}
      </div>
    </Card>
  )
}

function DueBadge({ assignment: { late, state, has_submission, is_graded } }: { assignment: StudentAssignment }) {
  if (late) return <StatusBadge status="overdue">Late</StatusBadge>
  if (has_submission || is_graded) return null
  if (state === 'upcoming') return <StatusBadge status="upcoming" />
  if (state === 'overdue') return <StatusBadge status="overdue" />
  return state === 'closed' ? <StatusBadge status="overdue">Closed</StatusBadge> : null
}

const MAX_CRITERIA = 4

function CriterionScores({ assignment }: { assignment: StudentAssignment }) {
  const { criterion_grades: criteria } = assignment
  const more = criteria.length - MAX_CRITERIA
  return (
    <>
      {isScoreOverridden(assignment) && (
        <p className={classes.note}>Your instructor set the overall score. The points below are the AI’s suggestion.</p>
      )}
      <ol className={classes.list}>
        {criteria.slice(0, MAX_CRITERIA).map((criterion) => (
          <li key={criterion.id} className={classes.criterion}>
            <span className={classes.text}>
              <MathText>{criterion.criterion_text}</MathText>
            </span>
            <span className={classes.points}>
              {criterion.score === null && assignment.unscored_points > 0 ? (
                'Not graded yet'
              ) : (
                <strong>{formatPoints(criterion.score)}</strong>
              )}{' '}
              / {formatPoints(criterion.max_score)}
            </span>
          </li>
        ))}
      </ol>
      {more > 0 && (
        <p className={classes.note}>
          +{more} more {more === 1 ? 'criterion' : 'criteria'}
        </p>
      )}
    </>
  )
}
