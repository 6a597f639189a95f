import { bestAssignment } from './best-assignment.ts'
import type { Evidence } from './hint-evidence.ts'
import { LEAST_MARGIN, leastScore, type PaperEvidence } from './paper-evidence.ts'

/** How much better a reading may be for a student who has a paper, while it still counts for another. */
const AS_GOOD = 1

interface ClosedRoster {
  rosterSize: number
  taken: ReadonlySet<number>
}

/** Possible owners without a paper, and the evidence for the next student, which is not enough alone. */
interface Claim {
  owners: Evidence[]
  next: number
}

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

/** Students who joined by a code chose their own name and number, which a person must confirm. */
const isTrusted = ({ student, reason }: Evidence) =>
  reason === 'email' || reason === 'email_on_paper' ? student.email_verified : student.added_by_staff

function ownerAlone({ owners: [best, second], next }: Claim): Evidence | null {
  return best && best.score - Math.max(second?.score ?? 0, next) >= LEAST_MARGIN ? best : null
}

/**
 * One assignment problem over the class; a paper is assigned only where the next best assignment is clearly worse.
 * Students with papers are out of the question for others, so earlier assignments may decide more. Where two papers
 * name one student, neither is assigned.
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

function disputedAmong<Paper>(claims: ReadonlyMap<Paper, Claim>): Paper[] {
  const told = [...claims].flatMap(([paper, claim]) => {
    const owner = ownerAlone(claim)
    return owner ? [{ paper, student: owner.student }] : []
  })
  return [...Map.groupBy(told, ({ student }) => student).values()].flatMap((same) =>
    same.length > 1 ? same.map(({ paper }) => paper) : [],
  )
}
