import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import {
  finalPoints,
  percentFromPoints,
  type ScoredCriterion,
  unscoredPoints,
} from '@assay/shared/rules/criterion-points.ts'
import { adjustmentFor } from '@assay/shared/rules/item-points.ts'
import { exactPercent } from '@assay/shared/rules/points.ts'
import { summariseGrade } from '../../grader/scoring/grade-summary.ts'
import type { AppliedItems, PointsByCriterion } from '../../records/grading/question-change.model.ts'
import type { RubricItemDoc } from '../../records/grading/rubric-item.model.ts'
import type { GradeOfSubmission } from '../../records/submissions/submission.model.ts'
import type { OutdatedVersions } from '../rubrics/outdated-grades.ts'
import type { ItemsById } from './rubric-items/rubric-item.service.ts'

type Scored = Pick<
  GradeOfSubmission,
  'manual_score_override' | 'override_from_points' | 'final_score' | 'points' | 'unscored_points'
>
/** In percent; null where points for criteria count. */
export const wholeScoreOf = ({
  override_from_points,
  manual_score_override = null,
}: Partial<Pick<Scored, 'override_from_points' | 'manual_score_override'>>) =>
  override_from_points ? null : manual_score_override

export function scoreGrade(
  before: Pick<GradeOfSubmission, 'overall_score'> & Partial<Scored>,
  criteria: readonly ScoredCriterion[],
  decisions: PointsByCriterion,
  wholeScore = wholeScoreOf(before),
): Scored {
  const fromPoints = wholeScore === null ? percentFromPoints(decisions, criteria) : null
  const override = wholeScore ?? fromPoints
  const points = finalPoints(criteria, decisions, wholeScore)
  const shown = override ?? before.overall_score
  return {
    manual_score_override: override,
    override_from_points: fromPoints !== null,
    final_score: shown !== null && points ? exactPercent(points) : shown,
    points,
    unscored_points: wholeScore === null ? unscoredPoints(criteria, decisions) : 0,
  }
}

export function pickItems(
  { applied_items = [], item_adjustments = {} }: Pick<GradeOfSubmission, 'applied_items' | 'item_adjustments'>,
  criterionIds: ReadonlySet<string>,
  items: ItemsById,
): AppliedItems {
  return {
    items: applied_items.filter((id) => criterionIds.has(items.get(id)?.criterion_id ?? '')),
    adjustments: Object.fromEntries(Object.entries(item_adjustments).filter(([id]) => criterionIds.has(id))),
  }
}

export function itemsOfCriterion(
  { applied_items = [] }: Pick<GradeOfSubmission, 'applied_items'>,
  criterionId: string,
  items: ItemsById,
): RubricItemDoc[] {
  return applied_items
    .flatMap((id) => items.get(id) ?? [])
    .filter(({ criterion_id, removed }) => criterion_id === criterionId && !removed)
    .sort((a, b) => a.position - b.position || a._id - b._id)
}

export const itemTexts = (...of: Parameters<typeof itemsOfCriterion>): string[] => [
  ...new Set(itemsOfCriterion(...of).map(({ text }) => text)),
]

export const sameItems = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((id) => other.includes(id))

export function replaceItems(
  grade: Pick<GradeOfSubmission, 'applied_items' | 'item_adjustments'>,
  criterionIds: ReadonlySet<string>,
  after: AppliedItems,
  items: ItemsById,
): Required<Pick<GradeOfSubmission, 'applied_items' | 'item_adjustments'>> {
  const others = (grade.applied_items ?? []).filter((id) => !criterionIds.has(items.get(id)?.criterion_id ?? ''))
  const rest = Object.entries(grade.item_adjustments ?? {}).filter(([id]) => !criterionIds.has(id))
  return {
    applied_items: [...others, ...after.items],
    item_adjustments: { ...Object.fromEntries(rest), ...after.adjustments },
  }
}

/** Items that count carry over only where their points stay. */
export function keptItems(
  before: GradeOfSubmission | null,
  decisions: PointsByCriterion,
  items: ItemsById,
): Pick<GradeOfSubmission, 'applied_items' | 'item_adjustments'> {
  const { applied_items = [], item_adjustments = {} } = before ?? {}
  if (applied_items.length === 0) return {}
  const lost = (criterionId: string) =>
    before?.decisions?.[criterionId] !== undefined && decisions[criterionId] === undefined
  const kept = applied_items.filter((id) => {
    const item = items.get(id)
    return item !== undefined && (item.kind === 'comment' || !lost(item.criterion_id))
  })
  const adjustments = Object.entries(item_adjustments).filter(([criterionId]) => !lost(criterionId))
  return { applied_items: kept, item_adjustments: Object.fromEntries(adjustments) }
}

/** Points by hand become an adjustment, which survives changes of items. */
export function itemsAfterPoints(
  before: Pick<GradeOfSubmission, 'applied_items' | 'item_adjustments' | 'decisions'>,
  decisions: PointsByCriterion,
  items: ItemsById,
  criteria: readonly { criterion_id: string; max_score: number }[],
): Pick<GradeOfSubmission, 'applied_items' | 'item_adjustments'> {
  const { applied_items = [], item_adjustments = {} } = before
  if (applied_items.length === 0) return {}
  const withdrawn = (criterionId: string) =>
    before.decisions?.[criterionId] !== undefined && decisions[criterionId] === undefined
  const kept = applied_items.filter((id) => {
    const item = items.get(id)
    if (!item || item.kind === 'comment' || before.decisions?.[item.criterion_id] === decisions[item.criterion_id])
      return true
    // Restoring a removed item must not change what somebody has decided since.
    return !item.removed && !withdrawn(item.criterion_id)
  })
  const adjusted = criteria.flatMap(({ criterion_id, max_score }) => {
    const own = kept.flatMap((id) => items.get(id) ?? []).filter((item) => item.criterion_id === criterion_id)
    const active = own.filter(({ removed }) => !removed)
    const points = decisions[criterion_id]
    const adjustment = item_adjustments[criterion_id]
    const next =
      points === before.decisions?.[criterion_id]
        ? adjustment
        : adjustmentFor({ items: active, points, adjustment }, max_score)
    return next === undefined ? [] : [[criterion_id, next] as const]
  })
  return { applied_items: kept, item_adjustments: Object.fromEntries(adjusted) }
}

/** The grader's words may contradict other points or a changed key. */
export function withoutOutdatedFeedback(
  criteria: readonly CriterionGrade[],
  { decisions, rubric_version }: Pick<GradeOfSubmission, 'decisions' | 'rubric_version'>,
  outdated: OutdatedVersions | undefined,
): CriterionGrade[] {
  const changed = new Set(outdated?.get(rubric_version)?.changed.map(({ id }) => id))
  return criteria.map((criterion) => {
    const points = decisions?.[criterion.criterion_id] ?? criterion.score
    const stands = points === criterion.score && !changed.has(criterion.question_id)
    return stands ? criterion : { ...criterion, llm_feedback: '' }
  })
}

export function summaryAfter(
  before: Pick<GradeOfSubmission, 'summary' | 'decisions' | 'overall_score'>,
  criteria: readonly CriterionGrade[],
  after: Pick<GradeOfSubmission, 'decisions' | 'manual_score_override' | 'override_from_points'>,
  rubric: Rubric | null,
): string {
  const wholeScore = wholeScoreOf(after)
  if (wholeScore !== null && wholeScore !== before.overall_score) return ''
  const counted = (given: PointsByCriterion | undefined) =>
    criteria.map((one) => ({ ...one, score: given?.[one.criterion_id] ?? one.score }))
  const now = counted(after.decisions)
  const isSame = counted(before.decisions).every(({ score }, i) => score === now[i]?.score)
  if (!rubric || (isSame && before.summary !== '')) return before.summary
  return summariseGrade(rubric.questions, now)
}
