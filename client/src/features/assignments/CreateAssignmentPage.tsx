import { getCourse, listCourses } from '@assay/shared/courses.ts'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { PageHeader } from '../../components/layout/PageHeader.tsx'
import { useGet, useGetAll } from '../../lib/api/api-hooks.ts'
import { CreateAssignmentForm } from './CreateAssignmentForm.tsx'
import { useAfterCreating } from './useAfterCreating.ts'

const CourseIdInput = z.object({ courseId: z.coerce.number().int().positive() })

/** The course asked for in the address or handed over by the course's page. */
function useCourseIdFromLocation(): number | null {
  const [search] = useSearchParams()
  const { state } = useLocation()
  const given = CourseIdInput.safeParse({
    courseId: search.get('courseId') ?? CourseIdInput.safeParse(state).data?.courseId,
  })
  return given.data?.courseId ?? null
}

export function CreateAssignmentPage() {
  const courseId = useCourseIdFromLocation()
  const after = useAfterCreating()
  const course = useGet(getCourse, { courseId: courseId ?? 0 }, undefined, { enabled: courseId !== null })
  const courses = useGetAll(listCourses).data ?? []
  const name = course.data?.name ?? 'Course'
  // Undefined until the teacher has chosen; null is “No course”.
  const [picked, setPicked] = useState<number | null>()
  const given = course.error ? null : courseId
  const only = courses.length === 1 ? courses[0]?.id : undefined
  const chosen = picked === undefined ? (given ?? only ?? null) : picked
  const offered = courses.some(({ id }) => id === given) || !given ? courses : [{ id: given, name }, ...courses]
  return (
    <Page width="reading">
      <PageHeader
        title="Create Assignment"
        subtitle="Two PDFs are enough to start. Add student papers now or later."
        crumbs={
          courseId
            ? [after.back ?? { label: name, to: `/courses/${courseId}` }, { label: 'Create Assignment' }]
            : undefined
        }
      />
      {courseId && course.error && (
        <Notice tone="warn">
          Could not open this course, so the assignment will not belong to a course. {course.error.message}
        </Notice>
      )}
      {given && chosen === given && (
        <Notice>
          {after.notice ?? (
            <>
              This assignment will be linked to <strong>{name}</strong>. Files named after a student’s username or email
              are matched to that student.
            </>
          )}
        </Notice>
      )}
      <CreateAssignmentForm
        courseId={chosen}
        courses={offered}
        // What it is made for belongs to that course.
        chooseCourse={after.back && given ? null : setPicked}
        suggestedName={after.suggestedName}
        pathAfter={after.pathFor}
        toastAfter={after.toast}
      />
    </Page>
  )
}
