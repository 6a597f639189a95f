import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { SetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'

/** What is filled in; what belongs to a choice not taken is kept, and not sent. */
export interface SetUpValues {
  course: 'new' | 'existing'
  name: string
  courseId: number | null
  assignment: 'copy' | 'existing' | 'new' | 'none'
  assignmentId: number | null
}

/** An assignment that may be chosen. */
export type OfferedAssignment = SetUp['assignments'][number]

/** The copy first, then an assignment of the link's own name, then a new one: what an instructor most likely came for. */
export function initialSetUpValues({ context_title, link_title, copied_from, assignments }: SetUp): SetUpValues {
  const same = assignments.find(({ title }) => isSameTitle(title, link_title))
  return {
    course: 'new',
    name: context_title ?? '',
    courseId: null,
    assignment: copied_from?.assignment_id ? 'copy' : same ? 'existing' : 'new',
    assignmentId: same?.id ?? null,
  }
}

const isSameTitle = (a: string, b: string | null) => a.trim().toLowerCase() === b?.trim().toLowerCase()

/** As it is sent; null while something that was chosen has not been named. */
export function setUpBody(setUp: SetUp, values: SetUpValues): BodyOf<typeof setUpLaunch> | null {
  const assignment = assignmentOf(setUp, values)
  if (!assignment) return null
  if (setUp.course_id !== null) return { assignment }
  const course = courseOf(values)
  return course && { course, assignment }
}

function courseOf({ course, name, courseId }: SetUpValues) {
  if (course === 'new') return name.trim() === '' ? null : { kind: 'new' as const, name: name.trim() }
  return courseId === null ? null : { kind: 'existing' as const, course_id: courseId }
}

function assignmentOf(setUp: SetUp, { assignment, assignmentId }: SetUpValues) {
  if (!setUp.has_link || assignment === 'none') return { kind: 'none' as const }
  if (assignment === 'new') return { kind: 'later' as const }
  const id = assignment === 'copy' ? setUp.copied_from?.assignment_id : assignmentId
  return id == null ? null : { kind: assignment, assignment_id: id }
}
