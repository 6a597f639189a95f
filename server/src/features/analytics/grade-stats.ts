import { exactPercent, type Points, percentOf } from '@assay/shared/rules/points.ts'
import type { GradeStats } from '../../records/grading/analytics.model.ts'
import { findCountedStudentIds } from '../courses/enrollment-queries.ts'
import { releasedScores } from '../grades/release.service.ts'
import { cachedStats } from './analytics-cache.ts'
import { newestReleases } from './newest-releases.ts'

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

export function countTenths(scores: number[]): number[] {
  const bins = scores.map(histogramBin)
  return Array.from({ length: 10 }, (_, tenth) => bins.filter((bin) => bin === tenth).length)
}

/** The bins are ten percent wide; 100 belongs to the last. */
export function histogramBin(score: number): number {
  return Math.max(0, Math.min(9, Math.floor(score / 10)))
}
