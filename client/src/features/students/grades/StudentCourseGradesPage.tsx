import type { StudentAssignment, StudentCourse } from '@assay/shared/students.ts'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { Loaded, Page, PageHeader, RowSkeletons } from '../../../components/layout/Page.tsx'
import { studentCoursePath } from '../../../paths.ts'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { CourseTotals, WithStudentCourse } from '../courses/StudentCourseStates.tsx'
import { AverageGradeCard, GradeTable } from './GradeTable.tsx'
import classes from './StudentGradesPage.module.css'

export function StudentCourseGradesPage() {
  return (
    <WithStudentCourse label="Loading your grades">
      {(course, assignments) => (
        <Page width="standard">
          <PageHeader
            title={`Grades in ${course.name}`}
            crumbs={[
              { label: 'Dashboard', to: '/student/dashboard' },
              { label: course.course_code ?? course.name, to: studentCoursePath(course.id) },
              { label: 'Grades' },
            ]}
          />
          <CourseTotals course={course} />
          <Loaded
            query={assignments}
            title="Failed to Load Grades"
            skeleton={<RowSkeletons count={4} label="Loading your grades" />}
          >
            {(data) => <Grades course={course} assignments={data} />}
          </Loaded>
        </Page>
      )}
    </WithStudentCourse>
  )
}

function Grades({ course, assignments }: { course: StudentCourse; assignments: StudentAssignment[] }) {
  const graded = assignments.flatMap((one) =>
    one.overall_score === null || one.points === null || one.released_at === null
      ? []
      : [
          {
            assignment_id: one.id,
            assignment_title: one.title,
            course_id: course.id,
            course_name: course.name,
            overall_score: one.overall_score,
            points: one.points,
            grade_feedback: one.grade_feedback ?? '',
            graded_at: one.released_at,
          },
        ],
  )
  if (graded.length === 0) {
    return (
      <EmptyState title="No Grades Yet" action={<LinkButton to={studentCoursePath(course.id)}>View Course</LinkButton>}>
        Your grades appear here once your instructor publishes them.
      </EmptyState>
    )
  }
  return (
    <>
      <AverageGradeCard average={course.average} leftOut={graded.length - (course.average?.grades ?? 0)} />
      <GradeTable grades={graded} withCourse={false} />
      <div className={classes.note}>
        <AiDisclosureNote />
      </div>
    </>
  )
}
