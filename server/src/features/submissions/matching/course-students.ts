import { PromiseCache } from '../../../lib/promise-cache.ts'
import { createMatcher, type Matcher } from './match-student.ts'
import { loadMatchingRoster, type RosterStudent } from './name-index.ts'
import { createPaperReader } from './paper-evidence.ts'

export interface CourseStudents {
  roster: RosterStudent[]
  matcher: Matcher
  readPaper: ReturnType<typeof createPaperReader>
}

export async function loadCourseStudents(courseId: number): Promise<CourseStudents> {
  const roster = await loadMatchingRoster(courseId)
  return { roster, matcher: createMatcher(roster), readPaper: createPaperReader(roster) }
}

/** Not for long: a course may grow while its papers are read. */
const studentsByCourse = new PromiseCache<number, CourseStudents>({ max: 16, ttl: 10_000 })

export const cachedCourseStudents = (courseId: number): Promise<CourseStudents> =>
  studentsByCourse.get(courseId, () => loadCourseStudents(courseId))
