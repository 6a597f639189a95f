import { exactPercent, type Points, percentOf } from '@assay/shared/rules/points.ts'
import { countTenths } from '../../lib/numbers.ts'
import type { GradeStats } from '../../records/grading/analytics.model.ts'
import type { ReleaseDoc } from '../../records/grading/grade.model.ts'
import { findCountedStudentIds } from '../courses/enrollment-queries.ts'
import { releasedScores } from '../grades/release.service.ts'
import { cachedStats } from './analytics-cache.ts'

export const rateOf = (part: number, whole: number) => (whole === 0 ? null : percentOf({ given: part, of: whole }))

export function gradeStats(courseId: number, assignmentIds: number[]): Promise<Map<number, GradeStats>> {
  let enrolled: Promise<Set<number>> | undefined
  return cachedStats(
    'grades',
    assignmentIds,
    (id) => [`assignment/${id}`, `course/${courseId}`],
    async (id) => {
      enrolled ??= findCountedStudentIds(courseId)
      return computeGradeStats(id, await enrolled)
    },
  )
}

async function computeGradeStats(assignmentId: number, enrolled: ReadonlySet<number>): Promise<GradeStats> {
  const counted: Points[] = []
  const figures: GradeStats = { count: 0, sum: 0, tenths: [], students: 0 }
  for (const { student_id, points } of newestReleases(await releasedScores(assignmentId))) {
    if (points === null) continue
    // Students who left do not count; an unmatched paper does.
    if (student_id !== null && !enrolled.has(student_id)) continue
    figures.count += 1
    figures.sum += exactPercent(points)
    counted.push(points)
    if (student_id !== null) figures.students += 1
  }
  return { ...figures, tenths: countTenths(counted.map(percentOf)) }
}

type DatedRelease = Pick<ReleaseDoc, '_id' | 'student_id' | 'released_at'>

export function newestReleases<T extends DatedRelease>(releases: T[]): T[] {
  const newest = new Map<number, T>()
  const unmatched: T[] = []
  for (const release of releases) {
    if (release.student_id === null) {
      unmatched.push(release)
      continue
    }
    const other = newest.get(release.student_id)
    if (!other || isNewer(release, other)) newest.set(release.student_id, release)
  }
  return [...newest.values(), ...unmatched]
}

const isNewer = (a: DatedRelease, b: DatedRelease) =>
  (a.released_at.getTime() - b.released_at.getTime() || a._id - b._id) > 0
