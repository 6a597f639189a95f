import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'

type Dated = Pick<ReleaseDoc, '_id' | 'released_at'>

export const isLaterRelease = (one: Dated, other: Dated | undefined): boolean =>
  !other || (one.released_at.getTime() - other.released_at.getTime() || one._id - other._id) > 0

/** By account: the latest release counts, as on the student's own page. */
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
