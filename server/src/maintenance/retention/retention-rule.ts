import { RETENTION_NOTICE_DAYS } from '@assay/shared/rules/retention.ts'
import { type CourseDoc, CourseModel } from '../../records/courses/course.model.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const COURSES_AT_ONCE = 500

/** 0: never. A null course stands for outside any. */
export const effectiveMonths = (course: Pick<CourseDoc, 'retention_months'> | null, schoolMonths: number): number =>
  course?.retention_months ?? schoolMonths

/** Null for a rule of 0 months. */
export function retentionCutoff(months: number, now: Date): Date | null {
  if (months === 0) return null
  const cutoff = new Date(now)
  cutoff.setUTCMonth(cutoff.getUTCMonth() - months)
  // There is no 31 June: the date has run over into July, a day early.
  if (cutoff.getUTCDate() !== now.getUTCDate()) cutoff.setUTCDate(0)
  return cutoff
}

export const deletionDate = (now: Date): Date => new Date(now.getTime() + RETENTION_NOTICE_DAYS * DAY_MS)

export interface CoursesOfRule {
  months: number
  /** Null for assignments outside a course. */
  courses: number[] | null
}

/** In batches. */
export async function* coursesByRule(schoolMonths: number): AsyncGenerator<CoursesOfRule> {
  if (schoolMonths > 0) yield { months: schoolMonths, courses: null }
  const may = schoolMonths > 0 ? {} : { retention_months: { $gt: 0 } }
  for (let after = 0; ; ) {
    const batch = await CourseModel.find({ ...may, _id: { $gt: after } }, { retention_months: 1 })
      .sort({ _id: 1 })
      .limit(COURSES_AT_ONCE)
      .lean()
    const last = batch.at(-1)
    if (!last) return
    after = last._id
    for (const [months, courses] of Map.groupBy(batch, (course) => effectiveMonths(course, schoolMonths)))
      if (months > 0) yield { months, courses: courses.map(({ _id }) => _id) }
  }
}
