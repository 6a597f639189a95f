import type {
  AnswerGroup,
  CriterionPoints,
  DecisionResult,
  QuestionAnswer,
  QuestionToGrade,
} from '@assay/shared/questions.ts'
import { SURE_CONFIDENCE } from '@assay/shared/rules/sure-suggestion.ts'
import { formatPoints, plural } from '../../../lib/format.ts'

type Criteria = QuestionToGrade['question']['criteria']

/** The most frequent wording first. */
export interface GroupOfAnswers {
  id: string
  kind: AnswerGroup['kind']
  answers: QuestionAnswer[]
  variants: QuestionAnswer[][]
}

export const groupOf = (groups: readonly GroupOfAnswers[], submissionId: number | null) =>
  groups.find(({ answers }) => answers.some((answer) => answer.submission_id === submissionId))

export const isDecided = ({ decided }: Pick<QuestionAnswer, 'decided'>, criteria: Criteria): boolean =>
  criteria.every(({ id }) => decided?.[id] !== undefined)

/** A person's points where given, else the suggested; null while a criterion has neither. */
export function pointsOf({ decided, suggested }: QuestionAnswer, criteria: Criteria): number | null {
  let sum = 0
  for (const { id } of criteria) {
    const points = decided?.[id] ?? suggested[id]
    if (points === undefined) return null
    sum += points
  }
  return sum
}

export const suggestedPoints = ({ suggested }: QuestionAnswer, criteria: Criteria): number | null =>
  pointsOf({ suggested, decided: null } as QuestionAnswer, criteria)

export const isSure = (answer: QuestionAnswer, criteria: Criteria): boolean =>
  !isDecided(answer, criteria) &&
  !answer.flagged &&
  answer.confidence >= SURE_CONFIDENCE &&
  pointsOf(answer, criteria) !== null

export type GroupSummary = ReturnType<typeof summarize>

export function summarize({ answers }: Pick<GroupOfAnswers, 'answers'>, criteria: Criteria) {
  const all = answers.map((answer) => pointsOf(answer, criteria))
  const known = all.filter((points) => points !== null)
  return {
    size: answers.length,
    undecided: answers.filter((answer) => !isDecided(answer, criteria)).length,
    /** The mean of points given or suggested; null where there are none. */
    points: known.length === 0 ? null : known.reduce((sum, points) => sum + points, 0) / known.length,
    mixed: new Set(all).size > 1,
    flagged: answers.some((answer) => answer.flagged && !isDecided(answer, criteria)),
    excerpt: answers[0]?.excerpt ?? '',
  }
}

export const membersOf = ({ variants }: AnswerGroup): number[] => variants.flat()

/** A new group goes where most of its answers were. */
export function keepOrder(shown: readonly AnswerGroup[], now: readonly AnswerGroup[]): AnswerGroup[] {
  if (shown.length === 0) return [...now]
  const place = new Map(shown.map(({ id }, index) => [id, index]))
  const placeOfAnswer = new Map(shown.flatMap((group, index) => membersOf(group).map((id) => [id, index] as const)))
  const placed = now.map((group) => ({
    group,
    at: place.get(group.id) ?? placeOfMost(membersOf(group), placeOfAnswer),
  }))
  return placed.sort((a, b) => a.at - b.at).map(({ group }) => group)
}

function placeOfMost(ids: number[], placeOfAnswer: ReadonlyMap<number, number>): number {
  const counts = new Map<number, number>()
  for (const id of ids) {
    const at = placeOfAnswer.get(id)
    if (at !== undefined) counts.set(at, (counts.get(at) ?? 0) + 1)
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])
  return most === undefined ? Number.POSITIVE_INFINITY : most[0] + 0.5
}

export function groupTogether(groups: readonly AnswerGroup[], ids: readonly number[], id: string): AnswerGroup[] {
  const taken = new Set(ids)
  const rest = groups
    .map((group) => ({
      ...group,
      variants: group.variants.map((variant) => variant.filter((one) => !taken.has(one))).filter(hasAny),
    }))
    .filter(({ variants }) => hasAny(variants))
  return keepOrder(groups, [...rest, { id, kind: 'manual', variants: ids.map((one) => [one]) }])
}

const hasAny = (list: readonly unknown[]) => list.length > 0

export function withAnswers(groups: readonly AnswerGroup[], answers: readonly QuestionAnswer[]): GroupOfAnswers[] {
  const byId = new Map(answers.map((answer) => [answer.submission_id, answer]))
  return groups.flatMap((group) => {
    const variants = group.variants.map((ids) => ids.flatMap((id) => byId.get(id) ?? [])).filter(hasAny)
    return hasAny(variants) ? [{ id: group.id, kind: group.kind, answers: variants.flat(), variants }] : []
  })
}

export function nextUndecided(
  groups: readonly GroupOfAnswers[],
  from: number,
  criteria: Criteria,
  besides: ReadonlySet<number> = new Set(),
): GroupOfAnswers | undefined {
  const open = ({ answers }: GroupOfAnswers) =>
    answers.some((answer) => !besides.has(answer.submission_id) && !isDecided(answer, criteria))
  return groups.slice(from + 1).find(open) ?? groups.slice(0, from + 1).find(open)
}

/** Points by criterion, each answer's suggestion, or nothing any more. */
export type Given = CriterionPoints | 'suggested' | null

export function decidedAfter({ decided, suggested }: QuestionAnswer, given: Given): CriterionPoints | null {
  if (given === null) return null
  // Accepting keeps what a person has given.
  const points = given === 'suggested' ? { ...suggested, ...decided } : { ...decided, ...given }
  return Object.keys(points).length === 0 ? null : points
}

type Question = Pick<QuestionToGrade['question'], 'points' | 'criteria'>

const sumOf = (points: CriterionPoints) => Object.values(points).reduce((sum, one) => sum + one, 0)

/** `4 of 5 points`; of some criteria, their points only. */
export function pointsInWords(points: CriterionPoints, { criteria }: Question): string {
  const most = criteria.filter(({ id }) => points[id] !== undefined).reduce((sum, one) => sum + one.points, 0)
  return `${formatPoints(sumOf(points))} of ${plural(most, 'point')}`
}

export function decisionInWords(count: number, given: Given, question: Question): string {
  const answers = plural(count, 'answer')
  if (given === null) return `${answers}: points withdrawn`
  if (given === 'suggested') return `${answers}: suggestions accepted`
  return `${answers}: ${pointsInWords(given, question)}`
}

export function conflictSentences({ conflicts }: Pick<DecisionResult, 'conflicts'>): string[] {
  const kinds = Map.groupBy(
    conflicts,
    ({ decided, decided_by }) =>
      `${decided_by ?? 'Someone'} ${decided ? `gave ${givenWords(decided)} to` : 'withdrew the points of'}`,
  )
  return [...kinds].map(([words, { length }]) => {
    const left = length === 1 ? 'it was left as it is' : 'they were left as they are'
    return `${words} ${length} of these; ${left}.`
  })
}

const givenWords = (points: CriterionPoints) => plural(Number(formatPoints(sumOf(points))), 'point')

const kindWords: Partial<Record<GroupOfAnswers['kind'], string>> = {
  empty: 'Left blank',
  not_found: 'Answer not found on the page',
  unreadable: 'Could not be read',
}

export const groupTitle = (kind: GroupOfAnswers['kind'], excerpt: string) => kindWords[kind] ?? (excerpt || 'No words')

export function groupKind({ kind, variants }: Pick<GroupOfAnswers, 'kind' | 'variants'>): string {
  if (kind === 'same') return 'Same answer'
  if (kind === 'similar') return `Similar answers, ${plural(variants.length, 'wording')}`
  if (kind === 'manual') return 'Grouped by a teacher'
  return kind === 'single' ? 'One answer' : (kindWords[kind] ?? '')
}

/** `error` is in points, null where it is not known. */
export function movedSentence(moved: number, error: number | null, learning: boolean): string {
  const words =
    moved === 0
      ? `Saved. ${learning ? 'Suggestions for like answers follow.' : 'No suggestion has changed.'}`
      : `${plural(moved, 'suggestion has', 'suggestions have')} changed.`
  return error === null ? words : `${words} ${expectedSentence(error)}`
}

/** `error` is in points. */
export function expectedSentence(error: number): string {
  const off = formatPoints(error < 0.05 ? error : Math.round(error * 10) / 10)
  return `Suggestions are now expected to be off by about ${off} ${off === '1' ? 'point' : 'points'} on average.`
}
