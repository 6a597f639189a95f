import { bestAssignment } from './best-assignment.ts'
import type { Evidence } from './hint-evidence.ts'
import { LEAST_MARGIN, leastScore, type PaperEvidence } from './paper-evidence.ts'

/** By how much a reading may be better for a student who has a paper, and still be another's. */
const AS_GOOD = 1

interface ClosedRoster {
  rosterSize: number
  taken: ReadonlySet<number>
}

/** The students without a paper whose one may be, and what speaks for the next one, who cannot have it by this alone. */
interface Claim {
  owners: Evidence[]
  next: number
}

/** Whom a paper may be given to, by what it says, given who has a paper already. */
function claimOf({ students, told }: PaperEvidence, { rosterSize, taken }: ClosedRoster): Claim {
  const none = { owners: [], next: 0 }
  const [sure, other] = told
  const [top] = students
  if (other || !top) return none
  if (sure && sure.student !== top.student) return none
  const free = students.filter(({ student }) => !taken.has(student._id))
  // A second paper of somebody who has one is not the next one's.
  const near = free.filter(({ score }) => top.score - score < AS_GOOD + LEAST_MARGIN)
  const owners = near.filter((one) => fits(one, taken) && one.score >= leastScore(rosterSize))
  return { owners, next: Math.max(0, ...free.filter((one) => !owners.includes(one)).map(({ score }) => score)) }
}

const fits = (one: Evidence, taken: ReadonlySet<number>) =>
  one.fits === 'wholly' || (one.rivals?.every((id) => taken.has(id)) ?? false)

/** Who joined by a code chose their own name and number: those are for a person to believe. */
const isTrusted = ({ student, reason }: Evidence) =>
  reason === 'email' || reason === 'email_on_paper' ? student.email_verified : student.added_by_staff

/** The student a paper tells of if nothing but that paper is looked at; or null. */
function ownerAlone({ owners: [best, second], next }: Claim): Evidence | null {
  return best && best.score - Math.max(second?.score ?? 0, next) >= LEAST_MARGIN ? best : null
}

/**
 * Gives each paper to the student it tells of, no student two papers: one assignment problem over the class, in which all papers
 * together are explained best. A paper is given only where the next best explanation of the class is clearly worse; what is close is
 * left to the teacher. The roster is closed: who has a paper already is no longer in question for the others, so that what was given
 * may decide more. Where two papers tell of one student, neither is given.
 */
export function matchClass<Paper>(
  papers: ReadonlyMap<Paper, PaperEvidence>,
  { rosterSize, taken: before }: { rosterSize: number; taken: Iterable<number> },
): Map<Paper, Evidence> {
  const taken = new Set(before)
  const given = new Map<Paper, Evidence>()
  const open = new Map(papers)
  for (let more = true; more; ) {
    more = false
    const claims = new Map([...open].map(([paper, evidence]) => [paper, claimOf(evidence, { rosterSize, taken })]))
    for (const paper of disputedAmong(claims)) {
      claims.delete(paper)
      open.delete(paper)
    }
    for (const { row: paper, column, worth, lead } of bestAssignment(optionsOf(claims))) {
      const claim = claims.get(paper)
      const owner = claim?.owners.find(({ student }) => student._id === column)
      if (!claim || !owner || lead < LEAST_MARGIN || worth - claim.next < LEAST_MARGIN) continue
      const top = papers.get(paper)?.students[0]
      if (!top || top.score - worth > AS_GOOD || !isTrusted(owner)) continue
      given.set(paper, owner)
      taken.add(column)
      open.delete(paper)
      more = true
    }
  }
  return given
}

const optionsOf = <Paper>(claims: ReadonlyMap<Paper, Claim>) =>
  [...claims].flatMap(([row, { owners }]) =>
    owners.map(({ student, score }) => ({ row, column: student._id, worth: score })),
  )

/** Papers that each tell of the same student. */
function disputedAmong<Paper>(claims: ReadonlyMap<Paper, Claim>): Paper[] {
  const told = [...claims].flatMap(([paper, claim]) => {
    const owner = ownerAlone(claim)
    return owner ? [{ paper, student: owner.student }] : []
  })
  return [...Map.groupBy(told, ({ student }) => student).values()].flatMap((same) =>
    same.length > 1 ? same.map(({ paper }) => paper) : [],
  )
}
