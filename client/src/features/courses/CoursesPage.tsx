import { type Course, listCourses } from '@assay/shared/courses.ts'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { LinkButton, PrimaryLinkButton } from '../../components/display/buttons.tsx'
import { CourseIllustration, EmptyState } from '../../components/feedback/EmptyState.tsx'
import { Card, CardGrid } from '../../components/layout/Card.tsx'
import { CardSkeletons, Loaded, Page, PageHeader } from '../../components/layout/Page.tsx'
import { useGetAll } from '../../lib/api/api-hooks.ts'
import { formatDate, plural } from '../../lib/format.ts'
import { coursePath } from '../../paths.ts'
import classes from './CoursesPage.module.css'
import { courseErrorMessage, courseListErrors } from './WithCourse.tsx'

export function CoursesPage() {
  const courses = useGetAll(listCourses)
  return (
    <Page>
      <PageHeader
        title="My Courses"
        actions={
          <PrimaryLinkButton to="/courses/create" leftSection={<IconPlus size={18} aria-hidden />}>
            Create Course
          </PrimaryLinkButton>
        }
      />
      <Loaded
        query={courses}
        title="Error Loading Courses"
        message={courses.error && courseErrorMessage(courses.error, courseListErrors)}
        skeleton={<CardSkeletons count={6} height={208} label="Loading courses" />}
      >
        {(data) => (data.length === 0 ? <NoCourses /> : <CourseCards courses={data} />)}
      </Loaded>
    </Page>
  )
}

function NoCourses() {
  return (
    <EmptyState
      illustration={<CourseIllustration />}
      title="No Courses Yet"
      action={<PrimaryLinkButton to="/courses/create">Create Your First Course</PrimaryLinkButton>}
    >
      A course groups your students and assignments, so papers can be matched to students by name.
    </EmptyState>
  )
}

function CourseCards({ courses }: { courses: Course[] }) {
  return (
    <CardGrid>
      {courses.map((course) => (
        <CourseCard key={course.id} course={course} />
      ))}
    </CardGrid>
  )
}

function CourseCard({ course }: { course: Course }) {
  const to = coursePath(course.id)
  return (
    <Card label={course.name}>
      {course.course_code && <span className={classes.code}>{course.course_code}</span>}
      <h2 className={classes.name}>
        <Link to={to} title={course.name}>
          {course.name}
        </Link>
      </h2>
      <p className={classes.description} data-none={course.description ? undefined : true}>
        {course.description ?? 'No description provided.'}
      </p>
      <p className={classes.counts}>
        {plural(course.student_count, 'student')} · {plural(course.assignment_count, 'assignment')}
      </p>
      <div className={classes.foot}>
        <span className={classes.dates}>
          Created {formatDate(course.created_at)}
          <br />
          Updated {formatDate(course.updated_at)}
        </span>
        <LinkButton to={to} aria-label={`View Details of ${course.name}`}>
          View Details
        </LinkButton>
      </div>
    </Card>
  )
}
