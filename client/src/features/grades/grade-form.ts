import type { Grade, GradeOverride } from '@assay/shared/grades.ts'
import { percentFromPoints } from '@assay/shared/rules/criterion-points.ts'

/** The form as it is typed. */
export interface GradeDraft {
  /** Percent; empty for no score as a whole. */
  score: string
  feedback: string
  /** The teacher's points by criterion; empty, or not there, for none. */
  points: Record<string, string>
  /** The teacher's words by criterion; empty, or not there, for none. */
  words: Record<string, string>
  /** A teacher who changes a grade has looked at it, so saving takes the flag off unless this is ticked. */
  flagged: boolean
}

/** The score the teacher gave the paper as a whole; what their points come to is none. */
const overallOverride = (grade: Grade) => (grade.override_from_points ? null : grade.manual_score_override)

export function draftOf(grade: Grade): GradeDraft {
  return {
    score: overallOverride(grade) === null ? '' : String(overallOverride(grade)),
    feedback: grade.manual_feedback ?? '',
    points: Object.fromEntries(
      grade.criterion_grades_collection.flatMap(({ criterion_id, teacher_score }) =>
        teacher_score === undefined ? [] : [[criterion_id, String(teacher_score)]],
      ),
    ),
    words: Object.fromEntries(
      grade.criterion_grades_collection.flatMap(({ criterion_id, teacher_feedback }) =>
        teacher_feedback === undefined ? [] : [[criterion_id, teacher_feedback]],
      ),
    ),
    flagged: false,
  }
}

export function sameDraft(a: GradeDraft, b: GradeDraft): boolean {
  const same = (one: Record<string, string>, other: Record<string, string>) =>
    Object.keys({ ...one, ...other }).every((id) => (one[id] ?? '') === (other[id] ?? ''))
  return (
    same(a.points, b.points) &&
    same(a.words, b.words) &&
    a.score === b.score &&
    a.feedback === b.feedback &&
    a.flagged === b.flagged
  )
}

/** `88.5`, `88,5` and `88.5 %` are a score, nothing is none, and anything else is NaN, which the contract refuses. */
export function parseScore(text: string): number | null {
  const plain = text.trim().replace(/\s*%$/, '').replace(',', '.')
  if (plain === '') return null
  return /^-?\d+(\.\d*)?$|^-?\.\d+$/.test(plain) ? Number(plain) : Number.NaN
}

/** What is wrong with points for a criterion, in words. */
export function pointsError(score: number | null, most: number): string | null {
  if (score === null) return null
  if (Number.isNaN(score)) return 'Enter a number'
  if (score < 0) return 'At least 0'
  return score > most ? `At most ${most}` : null
}

const typedPoints = ({ points }: GradeDraft, grade: Grade) =>
  grade.criterion_grades_collection.map((criterion) => ({
    ...criterion,
    given: parseScore(points[criterion.criterion_id] ?? ''),
  }))

/** What is wrong with the points typed, each at its field. */
export const pointsErrors = (draft: GradeDraft, grade: Grade): Record<string, string> =>
  Object.fromEntries(
    typedPoints(draft, grade).flatMap(({ criterion_id, given, max_score }) => {
      const error = pointsError(given, max_score)
      return error ? [[`points.${criterion_id}`, error]] : []
    }),
  )

/** What is wrong with what has been typed so far, each at its field; a sign or a point alone may become a number. */
export function draftErrors(draft: GradeDraft, grade: Grade): Record<string, string> {
  const begun = ({ points, ...rest }: GradeDraft): GradeDraft => ({
    ...rest,
    score: rest.score.replace(BEGUN_NUMBER, ''),
    points: Object.fromEntries(Object.entries(points).map(([id, text]) => [id, text.replace(BEGUN_NUMBER, '')])),
  })
  const typed = begun(draft)
  const score = parseScore(typed.score)
  const wrong = score !== null && !(score >= 0 && score <= 100)
  return { ...pointsErrors(typed, grade), ...(wrong ? { score: 'Enter a score between 0 and 100' } : {}) }
}

const BEGUN_NUMBER = /^\s*-?[.,]?\s*$/

export function overrideOf(draft: GradeDraft, grade: Grade): GradeOverride {
  const changes = typedPoints(draft, grade).flatMap(({ criterion_id, given, teacher_score, teacher_feedback = '' }) => {
    const words = (draft.words[criterion_id] ?? '').trim()
    const score = given === (teacher_score ?? null) ? {} : { score: given }
    const feedback = words === teacher_feedback ? {} : { feedback: words === '' ? null : words }
    const change = { ...score, ...feedback }
    return Object.keys(change).length === 0 ? [] : [{ criterion_id, ...change }]
  })
  return {
    overall_score: parseScore(draft.score),
    human_review_notes: draft.feedback.trim() || null,
    needs_review: draft.flagged,
    ...(changes.length > 0 ? { criteria: changes } : {}),
  }
}

/** What the points typed come to in percent; null where there are none. More points than there are count for nothing. */
export function draftPercent(draft: GradeDraft, grade: Grade): number | null {
  const criteria = grade.criterion_grades_collection
  const given = criteria.flatMap(({ criterion_id, max_score }): [string, number][] => {
    const score = parseScore(draft.points[criterion_id] ?? '')
    return score === null || pointsError(score, max_score) !== null ? [] : [[criterion_id, score]]
  })
  return percentFromPoints(Object.fromEntries(given), criteria)
}

/** Saved unchanged: the grade was reviewed, and nothing else changes. */
export function approvalOf(grade: Grade): GradeOverride {
  return {
    overall_score: overallOverride(grade),
    human_review_notes: grade.manual_feedback,
    needs_review: false,
  }
}
