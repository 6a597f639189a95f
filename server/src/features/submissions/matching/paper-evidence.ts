import type { MatchReason } from '@assay/shared/match-reasons.ts'
import type { OwnerHint } from '../../../grader/grader.ts'
import { bestAssignment } from './best-assignment.ts'
import { certain, createHintReader, type Evidence, TYPED } from './hint-evidence.ts'
import { type RosterStudent, splitWords } from './name-index.ts'

export interface PaperEvidence {
  students: Evidence[]
  /** Named for sure on a page or (null) in the file name. Of two, a person decides. */
  told: { student: RosterStudent; reason: MatchReason; page: number | null }[]
  places: PlaceOnPaper[]
}

/** Two students where both have the one name, or both names are there. */
export interface PlaceOnPaper {
  page: number
  student_ids: number[]
  /** Elsewhere a name may be a partner's, and one word may be another's. */
  sure: boolean
}

/** True unless one student is named by all of them. */
export const tellOfSeveral = (places: readonly PlaceOnPaper[]): boolean => {
  const [first] = places
  return (
    first !== undefined && !first.student_ids.some((id) => places.every(({ student_ids }) => student_ids.includes(id)))
  )
}

export const LEAST_MARGIN = 3
/** Added to what the size of the roster requires. */
const LEAST_EVIDENCE = 2.5
/** Text at the top of a page may be anything. */
const UNLABELLED_RISK = 2.5
/** A longer text is more likely to resemble a name by chance. */
const NAME_LENGTH = 20
/** Name and number that each say this much confirm each other. */
const AGREEING = 4
/** Scribble speaks against nobody. */
const LEAST_SCORE = -2

export const leastScore = (rosterSize: number): number => LEAST_EVIDENCE + Math.log(Math.max(rosterSize, 20))

export function createPaperReader(
  students: RosterStudent[],
): (hints: readonly OwnerHint[], byFileName?: readonly Pick<Evidence, 'student' | 'reason'>[]) => PaperEvidence {
  const readHint = createHintReader(students)
  const least = leastScore(students.length)
  return (hints, byFileName = []) => {
    const best = new Map<number, Parts>()
    const told: PaperEvidence['told'] = []
    const telling: PlaceOnPaper[] = []
    for (const { student, reason } of byFileName) {
      told.push({ student, reason, page: null })
      best.set(student._id, { file: certain(student, reason), name: null, number: null })
    }
    for (const hint of hints) {
      const places = Math.log(Math.max(1, hint.text.length / NAME_LENGTH))
      const enough = least + places + (hint.kind === 'unlabelled' ? UNLABELLED_RISK : 0)
      const found = readHint(hint)
      const [first, second] = found.toSorted((a, b) => b.score - a.score)
      const isTyped = found.filter(({ score, fits }) => fits === 'wholly' && score >= TYPED)
      const isClear =
        first?.fits === 'wholly' && first.score >= enough && first.score - (second?.score ?? 0) >= LEAST_MARGIN
      const here = isTyped.length > 0 ? isTyped : isClear ? [first] : []
      told.push(...here.map(({ student, reason }) => ({ student, reason, page: hint.page })))
      if (here.length > 0) telling.push(placeOf(hint, here))
      for (const one of found) {
        if (hint.kind === 'unlabelled' && one.score < enough) continue
        const mine = best.get(one.student._id) ?? { file: null, name: null, number: null }
        const part = one.reason === 'number_on_paper' ? 'number' : 'name'
        if ((mine[part]?.score ?? Number.NEGATIVE_INFINITY) < one.score) mine[part] = one
        best.set(one.student._id, mine)
      }
    }
    const has = (kind: OwnerHint['kind']) => hints.some((hint) => hint.kind === kind)
    const looked = { name: has('name'), number: has('number') }
    const typedName = hints.some((hint) => hint.kind === 'name' && !hint.ocr && isWholeName(hint.text))
    const numbered = told.flatMap((one) => (one.reason === 'number_on_paper' ? [one.student] : []))
    const students = [...best.values()].flatMap((parts) => sumOf(parts, { looked, typedName, numbered }) ?? [])
    return { students: students.sort((a, b) => b.score - a.score), told: onceEach(told), places: telling }
  }
}

/** A paper may name several of a group, which are no rivals: all stand for one. */
export function asGroups(
  { students, told, places }: PaperEvidence,
  standsFor: ReadonlyMap<number, RosterStudent>,
): PaperEvidence {
  if (standsFor.size === 0) return { students, told, places }
  const idOf = (id: number) => standsFor.get(id)?._id ?? id
  const asOne = <T extends { student: RosterStudent }>(one: T): T => ({
    ...one,
    student: standsFor.get(one.student._id) ?? one.student,
  })
  const best = new Map<number, Evidence>()
  for (const one of students.map(asOne)) {
    const rivals = one.rivals?.map(idOf).filter((id) => id !== one.student._id)
    if (!best.has(one.student._id)) best.set(one.student._id, rivals ? { ...one, rivals } : one)
  }
  return {
    students: [...best.values()],
    told: onceEach(told.map(asOne)),
    places: places.map((place) => ({ ...place, student_ids: [...new Set(place.student_ids.map(idOf))] })),
  }
}

const placeOf = ({ kind, text, page }: OwnerHint, here: readonly Evidence[]): PlaceOnPaper => ({
  page,
  student_ids: here.map(({ student }) => student._id),
  sure: kind !== 'unlabelled' && (here.some(({ reason }) => reason !== 'name_on_paper') || splitWords(text).length > 1),
})

/** Speaks against a student whatever the number says. */
const isWholeName = (text: string) => {
  const words = splitWords(text)
  return words.length < 5 && words.filter((word) => /^\p{L}{2,}$/u.test(word)).length > 1
}

interface Parts {
  file: Evidence | null
  name: Evidence | null
  number: Evidence | null
}

/** A field filled in with something else speaks against a student, scribble a little. */
function sumOf(
  { file, name, number }: Parts,
  paper: { looked: { name: boolean; number: boolean }; typedName: boolean; numbered: RosterStudent[] },
): Evidence | null {
  const strongest = [file, name, number].reduce((a, b) =>
    (b?.score ?? LEAST_SCORE) > (a?.score ?? LEAST_SCORE) ? b : a,
  )
  if (!strongest) return null
  const agree = name?.fits !== 'no' && Math.min(name?.score ?? 0, number?.score ?? 0) >= AGREEING
  const contradicted = paper.typedName && (name?.score ?? 0) < AGREEING
  const score =
    (file?.score ?? 0) +
    Math.max(LEAST_SCORE, name?.score ?? (paper.looked.name ? LEAST_SCORE : 0)) +
    Math.max(LEAST_SCORE, number?.score ?? (paper.looked.number ? LEAST_SCORE : 0))
  const byNumber = paper.numbered.includes(strongest.student)
  const fits = agree ? 'wholly' : contradicted ? 'no' : byNumber ? 'wholly' : strongest.fits
  return { ...strongest, score, fits }
}

const onceEach = (told: PaperEvidence['told']) => [...new Map(told.map((one) => [one.student._id, one])).values()]

/** How much better a reading may be for a student who has a paper. */
const AS_GOOD = 1

interface ClosedRoster {
  rosterSize: number
  taken: ReadonlySet<number>
}

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
  // A second paper of somebody is not the next one's.
  const near = free.filter(({ score }) => top.score - score < AS_GOOD + LEAST_MARGIN)
  const owners = near.filter((one) => fits(one, taken) && one.score >= leastScore(rosterSize))
  return { owners, next: Math.max(0, ...free.filter((one) => !owners.includes(one)).map(({ score }) => score)) }
}

const fits = (one: Evidence, taken: ReadonlySet<number>) =>
  one.fits === 'wholly' || (one.rivals?.every((id) => taken.has(id)) ?? false)

const isTrusted = ({ student, reason }: Evidence) =>
  reason === 'email' || reason === 'email_on_paper' ? student.email_verified : student.added_by_staff

const ownerAlone = ({ owners: [best, second], next }: Claim): Evidence | null =>
  best && best.score - Math.max(second?.score ?? 0, next) >= LEAST_MARGIN ? best : null

/** One assignment problem over the class: a paper is assigned only where the next best assignment is clearly worse. */
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
