import {
  getStudentCourse,
  listStudentAssignments,
  type StudentAssignment,
  type StudentCourse,
} from '@assay/shared/students.ts'
import { LinkButton } from '../../../components/display/buttons.tsx'
import { EmptyState } from '../../../components/feedback/EmptyState.tsx'
import { EmptyTrayIllustration } from '../../../components/feedback/illustrations.tsx'
import { LoadError } from '../../../components/feedback/LoadError.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { PageHeader } from '../../../components/layout/PageHeader.tsx'
import { PageSkeleton, RowSkeletons } from '../../../components/layout/PageSkeleton.tsx'
import { useGet } from '../../../lib/api/api-hooks.ts'
import { AiDisclosureNote } from '../AiDisclosureNote.tsx'
import { CourseTotals } from '../courses/CourseTotals.tsx'
import { CourseNotFound, StudentCourseError, WithCourseId } from '../courses/StudentCourseStates.tsx'
import { AverageGradeCard } from './AverageGradeCard.tsx'
import { GradeTable } from './GradeTable.tsx'
import classes from './StudentGradesPage.module.css'

export function StudentCourseGradesPage() {
  return <WithCourseId>{(courseId) => <CourseGrades key={courseId} courseId={courseId} />}</WithCourseId>
}

function CourseGrades({ courseId }: { courseId: number }) {
  const course = useGet(getStudentCourse, { courseId })
  const assignments = useGet(listStudentAssignments, { courseId })

  if (course.data) {
    return (
      <Page width="standard">
        <PageHeader
          title={`Grades in ${course.data.name}`}
          crumbs={[
            { label: 'Dashboard', to: '/student/dashboard' },
            { label: course.data.course_code ?? course.data.name, to: `/student/courses/${courseId}` },
            { label: 'Grades' },
          ]}
        />
        <CourseTotals course={course.data} />
        {assignments.data ? (
          <Grades course={course.data} assignments={assignments.data} />
        ) : assignments.error ? (
          <LoadError error={assignments.error} retry={assignments.reload} title="Failed to Load Grades" />
        ) : (
          <RowSkeletons count={4} label="Loading your grades" />
        )}
      </Page>
    )
  }
  if (course.error?.status === 404) return <CourseNotFound />
  if (course.error) return <StudentCourseError error={course.error} retry={course.reload} />
  return <PageSkeleton label="Loading your grades" />
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
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        title="No Grades Yet"
        action={<LinkButton to={`/student/courses/${course.id}`}>View Course</LinkButton>}
      >
        Your grades appear here once your instructor publishes them.
      </EmptyState>
    )
  }
  return (
    <>
      <AverageGradeCard scores={graded.map(({ points }) => points)} />
      <GradeTable grades={graded} withCourse={false} />
      <div className={classes.note}>
        <AiDisclosureNote />
      </div>
    </>
  )
}
