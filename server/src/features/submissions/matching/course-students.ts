import { LRUCache } from 'lru-cache'
import type { Services } from '../../../services.ts'
import { createMatcher, type Matcher } from './match-student.ts'
import { loadMatchingRoster, type RosterStudent } from './matching-roster.ts'
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

interface CachedStudents {
  students: Promise<CourseStudents>
  until: number
}

const studentsByCourse = new LRUCache<number, CachedStudents>({ max: 16 })
/** In ms: a course may grow while its papers are read. */
const CACHE_MS = 10_000

export function cachedCourseStudents(courseId: number, { clock }: Pick<Services, 'clock'>): Promise<CourseStudents> {
  const now = clock.now().getTime()
  const known = studentsByCourse.get(courseId)
  if (known && now < known.until) return known.students
  const students = loadCourseStudents(courseId)
  const kept = { students, until: now + CACHE_MS }
  studentsByCourse.set(courseId, kept)
  students.catch(() => studentsByCourse.peek(courseId) === kept && studentsByCourse.delete(courseId))
  return students
}
