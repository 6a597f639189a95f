import { PromiseCache } from '../../../lib/promise-cache.ts'
import { findGroups } from '../group-members.ts'
import { createMatcher, type Matcher } from './match-student.ts'
import { loadMatchingRoster, type RosterStudent } from './name-index.ts'
import { asGroups, createPaperReader } from './paper-evidence.ts'

export interface CourseStudents {
  roster: RosterStudent[]
  matcher: Matcher
  /** Of a group all names stand for the first member. */
  readPaper: ReturnType<typeof createPaperReader>
  standsFor: ReadonlyMap<number, RosterStudent>
}

/** @param assignmentId whose groups count; 0 for none */
export async function loadCourseStudents(courseId: number, assignmentId: number): Promise<CourseStudents> {
  const [roster, groups] = await Promise.all([loadMatchingRoster(courseId), findGroups(assignmentId)])
  const students = new Map(roster.map((one) => [one._id, one]))
  const standsFor = new Map(
    groups.flatMap(({ members }) => {
      const known = members.flatMap(({ student_id }) => students.get(student_id) ?? [])
      return known.flatMap(({ _id }) => (known[0] ? [[_id, known[0]] as const] : []))
    }),
  )
  const readPaper = createPaperReader(roster)
  return {
    roster,
    matcher: createMatcher(roster),
    readPaper: (...hints) => asGroups(readPaper(...hints), standsFor),
    standsFor,
  }
}

/** Not for long: a course may grow while its papers are read. */
const studentsByCourse = new PromiseCache<string, CourseStudents>({ max: 16, ttl: 10_000 })

export const cachedCourseStudents = (courseId: number, assignmentId: number): Promise<CourseStudents> =>
  studentsByCourse.get(`${courseId}/${assignmentId}`, () => loadCourseStudents(courseId, assignmentId))
