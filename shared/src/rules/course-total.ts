import { exactPercent, type Points } from './points.ts'

export interface AssignmentWeight {
  assignment_id: number
  counts: boolean
  weight: number
}

/** Others count, with a weight of 1. */
export interface GradebookRules {
  drop_lowest: number
  assignments: readonly AssignmentWeight[]
}

export interface GradeInCourse {
  assignment_id: number
  points: Points
}

/** 0 where it does not count. */
export function weightOf(assignmentId: number, { assignments }: Pick<GradebookRules, 'assignments'>): number {
  const named = assignments.find(({ assignment_id }) => assignment_id === assignmentId)
  if (!named) return 1
  return named.counts ? named.weight : 0
}

/**
 * The weighted mean of percentages without the lowest; one is always left. Of equals the heaviest goes, to the
 * student's advantage. `percent` is not rounded; null where no grade counts.
 */
export function courseTotal(grades: readonly GradeInCourse[], rules: GradebookRules) {
  const counting = grades
    .map(({ assignment_id, points }) => ({
      id: assignment_id,
      weight: weightOf(assignment_id, rules),
      // Bonus questions alone make no percentage.
      percent: points.of > 0 ? exactPercent(points) : null,
    }))
    .filter((grade): grade is typeof grade & { percent: number } => grade.weight > 0 && grade.percent !== null)
    .sort((a, b) => a.percent - b.percent || b.weight - a.weight || a.id - b.id)
  const drop = Math.max(0, Math.min(rules.drop_lowest, counting.length - 1))
  const kept = counting.slice(drop)
  const weight = kept.reduce((sum, one) => sum + one.weight, 0)
  return {
    percent: weight > 0 ? kept.reduce((sum, one) => sum + one.weight * one.percent, 0) / weight : null,
    counted: new Set(kept.map(({ id }) => id)),
    dropped: new Set(counting.slice(0, drop).map(({ id }) => id)),
  }
}
