import type { ReplyOf } from '@assay/shared/http/endpoint.ts'
import { getStudentDashboard } from '@assay/shared/students.ts'
import { NativeSelect } from '@mantine/core'
import { useSearchParams } from 'react-router-dom'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { BackToDashboard } from '../courses/StudentCourseStates.tsx'
import { AverageGradeCard, GradeTable } from './GradeTable.tsx'
import classes from './StudentGradesPage.module.css'

type Dashboard = ReplyOf<typeof getStudentDashboard>

export function StudentGradesPage() {
  const dashboard = useGet(getStudentDashboard)
  return (
    <Page width="standard">
      <PageHeader
        title="All Grades"
        crumbs={[{ label: 'Dashboard', to: '/student/dashboard' }, { label: 'All Grades' }]}
      />
      <Loaded
        query={dashboard}
        title="Failed to Load Grades"
        fallback="Failed to load dashboard data."
        actions={<BackToDashboard />}
        skeleton={<RowSkeletons count={6} label="Loading your grades" />}
      >
        {(data) =>
          data.recent_grades.length === 0 ? (
            <EmptyState title="No Grades Yet" action={<BackToDashboard />}>
              Your grades appear here once your instructor publishes them.
            </EmptyState>
          ) : (
            <Grades dashboard={data} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Grades({ dashboard: { courses, recent_grades, grade_summary } }: { dashboard: Dashboard }) {
  const { average_score, graded_assignments } = grade_summary
  // Across courses each grade counts the same.
  const overall = average_score === null ? null : { score: average_score, grades: graded_assignments }
  const [search, setSearch] = useSearchParams()
  const graded = courses.filter((course) => recent_grades.some((grade) => grade.course_id === course.id))
  const course = graded.find(({ id }) => String(id) === search.get('course'))
  const shown = recent_grades.filter((grade) => !course || grade.course_id === course.id)
  return (
    <>
      {graded.length > 1 && (
        <NativeSelect
          label="Course"
          className={classes.course}
          value={course?.id ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            setSearch(value ? { course: value } : {}, { replace: true, preventScrollReset: true })
          }}
          data={[
            { value: '', label: 'All Courses' },
            ...graded.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
      <AverageGradeCard
        average={course ? course.average : overall}
        {...(course ? { of: course.name, leftOut: shown.length - (course.average?.grades ?? 0) } : {})}
      />
      <GradeTable grades={shown} withCourse={!course} />
      <div className={classes.note}>
        <AiDisclosureNote />
      </div>
    </>
  )
}
