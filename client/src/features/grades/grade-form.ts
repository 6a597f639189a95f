import { type Grade, Override } from '@assay/shared/grades.ts'

/** The form as it is typed. */
export interface GradeDraft {
  /** Percent; empty for no override. */
  score: string
  feedback: string
  /** A teacher who changes a grade has looked at it, so saving takes the flag off unless this is ticked. */
  flagged: boolean
}

export interface GradeProblems {
  score?: string
  feedback?: string
}

export function draftOf(grade: Grade): GradeDraft {
  return {
    score: grade.manual_score_override === null ? '' : String(grade.manual_score_override),
    feedback: grade.manual_feedback ?? '',
    flagged: false,
  }
}

export function sameDraft(a: GradeDraft, b: GradeDraft): boolean {
  return a.score === b.score && a.feedback === b.feedback && a.flagged === b.flagged
}

/** `88.5`, `88,5` and `88.5 %` are a score, nothing is none, and anything else is NaN, which the contract refuses. */
export function readScore(text: string): number | null {
  const plain = text.trim().replace(/\s*%$/, '').replace(',', '.')
  if (plain === '') return null
  return /^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : Number.NaN
}

/** What is sent, or what is wrong with the form. */
export function readDraft(
  draft: GradeDraft,
): { override: Override; problems?: undefined } | { override?: undefined; problems: GradeProblems } {
  const read = Override.safeParse({
    overall_score: readScore(draft.score),
    human_review_notes: draft.feedback.trim() || null,
    needs_review: draft.flagged,
  })
  if (read.success) return { override: read.data }
  const at = (field: string) => read.error.issues.find((issue) => issue.path[0] === field)?.message
  return { problems: { score: at('overall_score'), feedback: at('human_review_notes') } }
}

/** Saved as it stands: the grade has been looked at, and nothing else changes. */
export function approvalOf(grade: Grade): Override {
  return {
    overall_score: grade.manual_score_override,
    human_review_notes: grade.manual_feedback,
    needs_review: false,
  }
}
