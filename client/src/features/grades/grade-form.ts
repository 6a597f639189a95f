import { type Grade, GradeOverride } from '@assay/shared/grades.ts'
import { percentFromPoints } from '@assay/shared/rules/criterion-points.ts'

/** The form as it is typed. */
export interface GradeDraft {
  /** Percent; empty for no score as a whole. */
  score: string
  /** The teacher's points by criterion; empty, or not there, for none. */
  points: Record<string, string>
  feedback: string
  /** A teacher who changes a grade has looked at it, so saving takes the flag off unless this is ticked. */
  flagged: boolean
}

export interface GradeProblems {
  score?: string
  feedback?: string
  /** By criterion. */
  points?: Record<string, string>
}

/** The score the teacher gave the paper as a whole; what their points come to is none. */
const overallOverride = (grade: Grade) => (grade.override_from_points ? null : grade.manual_score_override)

export function draftOf(grade: Grade): GradeDraft {
  return {
    score: overallOverride(grade) === null ? '' : String(overallOverride(grade)),
    points: Object.fromEntries(
      grade.criterion_grades_collection.flatMap(({ criterion_id, teacher_score }) =>
        teacher_score === undefined ? [] : [[criterion_id, String(teacher_score)]],
      ),
    ),
    feedback: grade.manual_feedback ?? '',
    flagged: false,
  }
}

export function sameDraft(a: GradeDraft, b: GradeDraft): boolean {
  const ids = Object.keys({ ...a.points, ...b.points })
  const samePoints = ids.every((id) => (a.points[id] ?? '') === (b.points[id] ?? ''))
  return samePoints && a.score === b.score && a.feedback === b.feedback && a.flagged === b.flagged
}

/** `88.5`, `88,5` and `88.5 %` are a score, nothing is none, and anything else is NaN, which the contract refuses. */
export function parseScore(text: string): number | null {
  const plain = text.trim().replace(/\s*%$/, '').replace(',', '.')
  if (plain === '') return null
  return /^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN
}

/** What is wrong with points for a criterion, in words. */
function pointsError(score: number | null, most: number): string | null {
  if (score === null) return null
  if (Number.isNaN(score)) return 'Enter the points as a number'
  return score > most ? `At most ${most}` : null
}

/** What is sent, or what is wrong with the form. */
export function parseDraft(
  draft: GradeDraft,
  grade: Grade,
): { override: GradeOverride; problems?: undefined } | { override?: undefined; problems: GradeProblems } {
  const typed = grade.criterion_grades_collection.map((criterion) => ({
    ...criterion,
    given: parseScore(draft.points[criterion.criterion_id] ?? ''),
  }))
  const points = Object.fromEntries(
    typed.flatMap(({ criterion_id, given, max_score }) => {
      const problem = pointsError(given, max_score)
      return problem ? [[criterion_id, problem]] : []
    }),
  )
  const changes = typed
    .filter(
      ({ given, teacher_score, criterion_id }) =>
        given !== (teacher_score ?? null) && points[criterion_id] === undefined,
    )
    .map(({ criterion_id, given }) => ({ criterion_id, score: given }))
  const read = GradeOverride.safeParse({
    overall_score: parseScore(draft.score),
    human_review_notes: draft.feedback.trim() || null,
    needs_review: draft.flagged,
    ...(changes.length > 0 ? { criteria: changes } : {}),
  })
  if (read.success && Object.keys(points).length === 0) return { override: read.data }
  const at = (field: string) => read.error?.issues.find((issue) => issue.path[0] === field)?.message
  return { problems: { score: at('overall_score'), feedback: at('human_review_notes'), points } }
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
