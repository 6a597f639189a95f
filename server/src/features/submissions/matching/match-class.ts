import type { Evidence } from './hint-evidence.ts'
import type { RosterStudent } from './matching-roster.ts'
import { LEAST_MARGIN, leastScore, type PaperEvidence } from './paper-evidence.ts'

/** By how much a reading may be better for a student who has a paper, and still be another's. */
const AS_GOOD = 1

/** Whose a paper is and why, by what it says, given who has a paper already; or null. */
function ownerOf(
  { students, told }: PaperEvidence,
  { rosterSize, taken }: { rosterSize: number; taken: ReadonlySet<number> },
): Evidence | null {
  const [sure, other] = told
  const [top] = students
  if (other || !top) return null
  if (sure && sure.student !== top.student) return null
  const free = students.filter(({ student }) => !taken.has(student._id))
  const [best, second] = free
  // A second paper of somebody who has one is not the next one's.
  if (!best || !fits(best, taken) || top.score - best.score > AS_GOOD) return null
  if (best.score < leastScore(rosterSize) || best.score - (second?.score ?? 0) < LEAST_MARGIN) return null
  return isTrusted(best) ? best : null
}

const fits = (one: Evidence, taken: ReadonlySet<number>) =>
  one.fits === 'wholly' || (one.rivals?.every((id) => taken.has(id)) ?? false)

/** Who joined by a code chose their own name and number: those are for a person to believe. */
const isTrusted = ({ student, reason }: Evidence) =>
  reason === 'email' || reason === 'email_on_paper' ? student.email_verified : student.added_by_staff

/**
 * Gives each paper to the student it tells of, no student two papers. The roster is closed: who has a paper already is no longer in question
 * for the others. Where two papers tell of one student, neither is given.
 */
export function matchClass<Paper>(
  papers: ReadonlyMap<Paper, PaperEvidence>,
  { rosterSize, taken: before }: { rosterSize: number; taken: Iterable<number> },
): Map<Paper, Evidence> {
  const taken = new Set(before)
  const given = new Map<Paper, Evidence>()
  const disputed = new Set<Paper>()
  for (let more = true; more; ) {
    more = false
    const wanted = new Map<RosterStudent, [Paper, Evidence][]>()
    for (const [paper, evidence] of papers) {
      if (given.has(paper) || disputed.has(paper)) continue
      const sure = ownerOf(evidence, { rosterSize, taken })
      if (sure) wanted.set(sure.student, [...(wanted.get(sure.student) ?? []), [paper, sure]])
    }
    for (const [student, claims] of wanted) {
      const [claim] = claims
      if (claims.length > 1) for (const [paper] of claims) disputed.add(paper)
      if (claims.length > 1 || !claim) continue
      given.set(...claim)
      taken.add(student._id)
      more = true
    }
  }
  return given
}
