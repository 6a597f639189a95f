import type { CriterionPoints, QuestionAnswer } from '@assay/shared/questions.ts'
import type { Criterion } from '@assay/shared/rubrics.ts'
import { formatPoints } from '../../../lib/format.ts'
import { parseScore, pointsError } from '../../grades/grade-form.ts'

export type PointsDraft = Record<string, string>

/** A person's points, else the suggested; null where they differ or are missing. */
function commonPoints(answers: readonly QuestionAnswer[], { id }: Criterion): number | null {
  const [first, ...others] = answers.map(({ decided, suggested }) => decided?.[id] ?? suggested[id])
  return first !== undefined && others.every((points) => points === first) ? first : null
}

/** A lone criterion's field begins empty, so that a digit suffices. */
export function initialDraft(answers: readonly QuestionAnswer[], criteria: readonly Criterion[]): PointsDraft {
  if (criteria.length < 2) return {}
  return Object.fromEntries(
    criteria.flatMap((criterion) => {
      const points = commonPoints(answers, criterion)
      return points === null ? [] : [[criterion.id, formatPoints(points)]]
    }),
  )
}

export function draftError(draft: PointsDraft, { id, points }: Criterion): string | null {
  const text = draft[id] ?? ''
  return /^\s*[.,]?\s*$/.test(text) ? null : pointsError(parseScore(text), points)
}

export function pointsOfDraft(draft: PointsDraft, criteria: readonly Criterion[]): CriterionPoints | null {
  if (criteria.some((criterion) => draftError(draft, criterion))) return null
  const given = criteria.flatMap(({ id }) => {
    const points = parseScore(draft[id] ?? '')
    return points === null || Number.isNaN(points) ? [] : [[id, points] as const]
  })
  return given.length === 0 ? null : Object.fromEntries(given)
}

/** In points: the criterion's levels, else each point, or halves of a few. */
export function pointSteps({ points, levels }: Criterion): number[] {
  if (levels && levels.length > 0)
    return [...new Set([0, ...levels.map((level) => level.points), points])].sort((a, b) => a - b)
  const step = points <= 3 ? 0.5 : 1
  if (points / step > 10) return [0, points / 2, points]
  const steps = Array.from({ length: Math.floor(points / step) + 1 }, (_, index) => index * step)
  return steps.at(-1) === points ? steps : [...steps, points]
}

const MAX_IN_ROW = 6

/** Rows as even as they can be: none has a single button. */
export const columnsFor = (buttons: number) => Math.ceil(buttons / Math.ceil(buttons / MAX_IN_ROW))

/** One step up or down from what is typed; from nothing, up begins at none and down at the full points. */
export function stepDraft(draft: PointsDraft, criterion: Criterion, up: boolean): PointsDraft {
  const steps = pointSteps(criterion)
  const now = parseScore(draft[criterion.id] ?? '')
  const from = now === null || Number.isNaN(now) ? (up ? -1 : criterion.points + 1) : now
  const next = up ? steps.find((points) => points > from) : steps.findLast((points) => points < from)
  return next === undefined ? draft : { ...draft, [criterion.id]: formatPoints(next) }
}

export function toggleDraft(draft: PointsDraft, { id, points }: Criterion): PointsDraft {
  return { ...draft, [id]: parseScore(draft[id] ?? '') === points ? '0' : formatPoints(points) }
}

/** Into the field of the only criterion; null for a key that does not belong there. */
export function typeIntoDraft(draft: PointsDraft, { id }: Criterion, key: string): PointsDraft | null {
  const text = draft[id] ?? ''
  if (key === 'Backspace') return { ...draft, [id]: text.slice(0, -1) }
  if (!/^[\d.,]$/.test(key) || (/[.,]/.test(key) && /[.,]/.test(text))) return null
  return { ...draft, [id]: text + key }
}
