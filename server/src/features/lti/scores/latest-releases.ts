import type { ReleaseDoc } from '../../../records/grading/grade.model.ts'

/** Of two submissions of one student the one released last counts, as on the student's own page. By account. */
export function latestReleases<Release extends Pick<ReleaseDoc, '_id' | 'student_id' | 'released_at'>>(
  releases: Release[],
): Map<number, Release> {
  const counting = new Map<number, Release>()
  for (const release of releases) {
    if (release.student_id === null) continue
    const before = counting.get(release.student_id)
    const later = before ? release.released_at.getTime() - before.released_at.getTime() || release._id - before._id : 1
    if (later > 0) counting.set(release.student_id, release)
  }
  return counting
}
