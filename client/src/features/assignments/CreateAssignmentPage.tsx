import { getCourse, listCourses } from '@assay/shared/courses.ts'
import { setUpLaunch } from '@assay/shared/lti/lti.ts'
import { generateRubric } from '@assay/shared/rubric-endpoints.ts'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { Notice } from '../../components/feedback/Notice.tsx'
import { Page, PageHeader } from '../../components/layout/Page.tsx'
import { messageOf } from '../../lib/api/api-error.ts'
import { useGet, useGetAll, useSend } from '../../lib/api/api-hooks.ts'
import { launchStore, useLaunch } from '../../lib/session/launch.ts'
import { toast } from '../../lib/toast.ts'
import { coursePath, rubricPath } from '../../paths.ts'
import { choicePath } from '../lti/deep-linking/choice-paths.ts'
import { CreateAssignmentForm } from './CreateAssignmentForm.tsx'

const CourseIdInput = z.object({ courseId: z.coerce.number().int().positive() })

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
  const rubric = useSend(generateRubric)
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
            ? [after.back ?? { label: name, to: coursePath(courseId) }, { label: 'Create Assignment' }]
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
        chooseCourse={after.back && given ? null : setPicked}
        suggestedName={after.suggestedName}
        pathAfter={async (assignmentId) => {
          // If it cannot begin, the rubric's page says so and offers it.
          await rubric.attempt({ params: { assignmentId }, body: { by: 'rules' } })
          return after.pathFor(assignmentId)
        }}
        toastAfter={after.toast}
      />
    </Page>
  )
}

interface AfterCreating {
  pathFor: (assignmentId: number) => string | Promise<string>
  back: { label: string; to: string } | null
  notice: string | null
  suggestedName: string
  toast: string | null
}

const withoutPurpose: Omit<AfterCreating, 'pathFor'> = {
  back: null,
  notice: null,
  suggestedName: '',
  toast: 'Assignment created and files uploaded successfully!',
}

/** To checking the rubric; with `for=link`, once its link opens it; with `for=choice`, back to adding assignments. */
function useAfterCreating(): AfterCreating {
  const [search] = useSearchParams()
  const link = useLaunchLink()
  const purpose = search.get('for')
  if (purpose === 'choice') return backToDeepLinking(search.get('chosen'))
  if (purpose === 'link' && link) {
    const { title, lms, bind } = link
    const notice = `${title ? `“${title}”` : 'The link'} in ${lms} will open this assignment. Students see it after you publish it.`
    return {
      ...withoutPurpose,
      pathFor: bind,
      back: { label: 'Set up', to: '/lti/set-up' },
      notice,
      suggestedName: title ?? '',
    }
  }
  return { ...withoutPurpose, pathFor: rubricPath }
}

function backToDeepLinking(before: string | null): AfterCreating {
  const chosen = before ? [before] : []
  return {
    ...withoutPurpose,
    pathFor: (id) => choicePath([...chosen, String(id)], id),
    back: { label: 'Add assignments', to: choicePath(chosen) },
    toast: null,
  }
}

function useLaunchLink() {
  const launch = useLaunch()
  const { send } = useSend(setUpLaunch)
  if (!launch) return null
  return {
    title: launch.link_title,
    lms: launch.platform.name,
    /** Makes the link open the new assignment; resolves to where to go then. */
    async bind(assignment_id: number) {
      try {
        launchStore.set(await send({ body: { assignment: { kind: 'existing', assignment_id } } }))
        return rubricPath(assignment_id)
      } catch (error) {
        const why = messageOf(error, 'Please try again.')
        toast.error(`The assignment was created, but the link does not open it yet. ${why}`)
        return '/lti/set-up'
      }
    },
  }
}
