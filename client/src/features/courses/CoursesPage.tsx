import { type Course, listCourses } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { EmptyState } from '../../components/feedback/EmptyState.tsx'
import { CourseIllustration } from '../../components/feedback/illustrations.tsx'
import { LoadError } from '../../components/feedback/LoadError.tsx'
import { CardGrid } from '../../components/layout/Card.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { CardSkeletons } from '../../components/layout/PageSkeleton.tsx'
import { type QueryResult, useGetAll } from '../../lib/api/api-hooks.ts'
import { CourseCard } from './CourseCard.tsx'
import { courseErrorMessage, courseListErrors } from './course-error-messages.ts'

export function CoursesPage() {
  const courses = useGetAll(listCourses)
  return (
    <Page>
      <PageHeader
        title="My Courses"
        actions={
          <Button component={Link} to="/courses/create" leftSection={<IconPlus size={18} aria-hidden />}>
            Create Course
          </Button>
        }
      />
      <Content courses={courses} />
    </Page>
  )
}

function Content({ courses }: { courses: QueryResult<Course[]> }) {
  if (courses.data?.length === 0) {
    return (
      <EmptyState
        illustration={<CourseIllustration />}
        title="No Courses Yet"
        action={
          <Button component={Link} to="/courses/create">
            Create Your First Course
          </Button>
        }
      >
        A course groups your students and assignments, so papers can be matched to students by name.
      </EmptyState>
    )
  }
  if (courses.data) {
    return (
      <CardGrid>
        {courses.data.map((course) => (
          <CourseCard key={course.id} course={course} />
        ))}
      </CardGrid>
    )
  }
  if (courses.error)
    return (
      <LoadError
        error={courses.error}
        retry={courses.reload}
        title="Error Loading Courses"
        message={courseErrorMessage(courses.error, courseListErrors)}
      />
    )
  return <CardSkeletons count={6} height={208} label="Loading courses" />
}
