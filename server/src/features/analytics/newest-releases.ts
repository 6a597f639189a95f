import type { ReleaseDoc } from '../../records/grading/grade.model.ts'

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
