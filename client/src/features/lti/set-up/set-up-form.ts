import type { BodyInput } from '@assay/shared/http/endpoint.ts'
import type { SetUp, setUpLaunch } from '@assay/shared/lti/lti.ts'
import { timeZone } from '../../../lib/local-time.ts'

/** Fields of a choice not taken stay, and are not sent. */
export interface SetUpValues {
  course: 'new' | 'existing'
  name: string
  courseId: number | null
  assignment: 'copy' | 'existing' | 'new' | 'none'
  assignmentId: number | null
}

export type OfferedAssignment = SetUp['assignments'][number]

/** The likeliest first: the copy, then an assignment with the link's name, then a new one. */
function initialSetUpValues({ context_title, link_title, copied_from, assignments }: SetUp): SetUpValues {
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

/** No id: the contract refuses a choice that names none. */
const NO_ID = 0

function setUpBody(setUp: SetUp, values: SetUpValues): BodyInput<typeof setUpLaunch> {
  const assignment = assignmentOf(setUp, values)
  return setUp.course_id === null ? { course: courseOf(values), assignment } : { assignment }
}

export function isComplete(setUp: SetUp, values: SetUpValues): boolean {
  const { course, assignment } = setUpBody(setUp, values)
  const named = course?.kind === 'new' ? course.name !== '' : course?.course_id !== NO_ID
  return named && !('assignment_id' in assignment && assignment.assignment_id === NO_ID)
}

export const setUpForm = (setUp: SetUp) => ({
  initialValues: initialSetUpValues(setUp),
  toBody: (values: SetUpValues) => setUpBody(setUp, values),
  names: { 'course.name': 'name', 'course.course_id': 'courseId', 'assignment.assignment_id': 'assignmentId' } as const,
})

function courseOf({ course, name, courseId }: SetUpValues) {
  return course === 'new'
    ? { kind: 'new' as const, name: name.trim(), time_zone: timeZone() }
    : { kind: 'existing' as const, course_id: courseId ?? NO_ID }
}

function assignmentOf(setUp: SetUp, { assignment, assignmentId }: SetUpValues) {
  if (!setUp.has_link || assignment === 'none') return { kind: 'none' as const }
  if (assignment === 'new') return { kind: 'later' as const }
  const id = assignment === 'copy' ? setUp.copied_from?.assignment_id : assignmentId
  return { kind: assignment, assignment_id: id ?? NO_ID }
}
