import {
  type CourseAnalytics,
  type GradeDistribution,
  getCourseAnalytics,
  getGradeDistribution,
  listStudentPerformance,
  type StudentPerformance,
} from '@assay/shared/analytics.ts'
import { type CourseDetail, getCourse } from '@assay/shared/courses.ts'
import { useEffect } from 'react'
import type { ApiError } from '../../lib/api/api-error.ts'
import { useGet, useGetAll } from '../../lib/api/api-hooks.ts'

export interface CourseAnalyticsData {
  overall: CourseAnalytics
  distribution: GradeDistribution
  /** Many in a large course: they are loaded after what is above them. */
  students: StudentPerformance[] | undefined
  course: CourseDetail
}

/** Four calls side by side, none of them tried twice: figures that do not belong together are worse than none. */
export function useCourseAnalytics(courseId: number): {
  figures: CourseAnalyticsData | null
  error: ApiError | undefined
  reload: () => Promise<unknown>
} {
  const once = { retry: false }
  const overall = useGet(getCourseAnalytics, { courseId }, undefined, once)
  const distribution = useGet(getGradeDistribution, { courseId }, undefined, once)
  const students = useGetAll(listStudentPerformance, { courseId }, once)
  const course = useGet(getCourse, { courseId }, undefined, once)

  const calls = [overall, distribution, students, course]
  const error = calls.find((call) => call.error)?.error
  useEffect(() => {
    if (error) console.error('Failed to load analytics data', error)
  }, [error])

  return {
    figures: error && !students.data ? null : combine(overall.data, distribution.data, students.data, course.data),
    error,
    reload: () => Promise.all(calls.map((call) => call.reload())),
  }
}

function combine(
  overall: CourseAnalytics | undefined,
  distribution: GradeDistribution | undefined,
  students: StudentPerformance[] | undefined,
  course: CourseDetail | undefined,
): CourseAnalyticsData | null {
  return overall && distribution && course ? { overall, distribution, students, course } : null
}
