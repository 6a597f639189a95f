import { type Course, listCourses } from '@assay/shared/courses.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { CardGrid } from '../../components/Card.tsx'
import { CourseDrawing } from '../../components/drawings.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { LoadFailed } from '../../components/LoadFailed.tsx'
import { Page } from '../../components/Page.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { CardSkeletons } from '../../components/PageSkeleton.tsx'
import { type Loaded, useGetAll } from '../../lib/api.ts'
import { CourseCard } from './CourseCard.tsx'
import { listWords, wordsFor } from './course-words.ts'

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

function Content({ courses }: { courses: Loaded<Course[]> }) {
  if (courses.data?.length === 0) {
    return (
      <EmptyState
        drawing={<CourseDrawing />}
        title="No Courses Yet"
        action={
          <Button component={Link} to="/courses/create">
            Create Your First Course
          </Button>
        }
      >
        A course holds your students and their assignments, so that papers find their owners by name.
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
      <LoadFailed
        error={courses.error}
        retry={courses.reload}
        title="Error Loading Courses"
        words={wordsFor(courses.error, listWords)}
      />
    )
  return <CardSkeletons count={6} height={208} label="Loading courses" />
}
