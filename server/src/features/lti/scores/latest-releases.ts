import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'

type Dated = Pick<ReleaseDoc, '_id' | 'released_at'>

/** Whether it counts and not the other, which may be none. */
export const isLaterRelease = (one: Dated, other: Dated | undefined): boolean =>
  !other || (one.released_at.getTime() - other.released_at.getTime() || one._id - other._id) > 0

/** Of two submissions of one student the one released last counts, as on the student's own page. By account. */
export function latestReleases<Release extends Pick<ReleaseDoc, '_id' | 'student_id' | 'released_at'>>(
  releases: Release[],
): Map<number, Release> {
  const counting = new Map<number, Release>()
  for (const release of releases) {
    if (release.student_id === null) continue
    if (isLaterRelease(release, counting.get(release.student_id))) counting.set(release.student_id, release)
  }
  return counting
}
