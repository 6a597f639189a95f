import type { CandidateFacts } from './candidate-facts.ts'
import type { LabelCandidate, Series } from './label-candidates.ts'
import type { LinearModel } from './linear-model.ts'
import type { OtherDocument } from './prepared-document.ts'

export interface Level {
  style: string
  series: Series
  rank: number
  value: string
  x: number
  bold: boolean
  option: boolean
  instructs: boolean
  points: boolean
  chooses: boolean
  each: boolean
}

export interface State {
  levels: Level[]
  /** Of the labels one level deeper, by depth, as last seen. */
  styles: string[]
  section: string | null
  /** A section has begun, and no question in it. */
  fresh: boolean
}

export const depthClass = (depth: number) => Math.min(depth, 2)
export const dxClass = (dx: number) =>
  Math.abs(dx) < 4 ? 0 : Math.abs(dx) < 14 ? 1 : Math.abs(dx) < 60 ? (dx > 0 ? 2 : 3) : dx > 0 ? 4 : 5

/** Null where a label cannot go on from the one before it. */
export function relationOf(
  before: Level | undefined,
  series: Series,
  rank: number,
  depth: number,
  more: boolean,
  fresh: boolean,
): string | null {
  if (!before) return rank === 1 ? 'first' : rank === 2 || (depth === 0 && rank < 60) ? 'late' : null
  if (before.series !== series) return rank === 1 && (depth === 0 || fresh) ? (fresh ? 'anew' : 'restart') : null
  if (rank === before.rank + 1) return fresh && depth === 0 ? 'nextSection' : 'next'
  if (rank === before.rank) return more ? 'repeat' : null
  if (rank === 1 && depth === 0) return fresh ? 'anew' : 'restart'
  if (rank === before.rank + 2) return 'skip'
  if (rank > before.rank && rank < before.rank + 8 && depth === 0) return 'jump'
  return null
}

export function rejectFeatures(
  candidate: LabelCandidate,
  fact: CandidateFacts,
  state: State,
  model: LinearModel,
  similar: number | null,
): number[] {
  const features = [model.idOf('N')]
  const [label] = candidate.tokens
  if (!label) return features
  if (label.style.startsWith('Q')) features.push(model.idOf('N|worded'))
  if (label.style === '1.1') features.push(model.idOf('N|decimal'))
  if (similar !== null) features.push(model.idOf(`N|similar:${similar}`))
  for (const [depth, level] of state.levels.entries()) {
    const goesOn = label.ranks.some(({ series, rank }) => series === level.series && rank === level.rank + 1)
    if (level.style !== label.style || !goesOn) continue
    features.push(model.idOf(`N|${level.option ? 'O' : depthClass(depth)}|next|dx:${dxClass(candidate.x - level.x)}`))
    if (fact.facts.includes('points')) features.push(model.idOf('N|next|points'))
  }
  if (label.ranks.some(({ rank }) => rank === 1) && label.style.length > 1)
    features.push(model.idOf(`N|first:${label.style}`))
  return features
}

/** 0 to 3; null where it cannot be told. */
export function similarity(
  candidate: LabelCandidate,
  fact: CandidateFacts,
  other: OtherDocument | null,
): number | null {
  if (!other || fact.words.size < 3) return null
  const value = candidate.tokens.at(-1)?.value
  let best = 0
  for (const [i, one] of other.candidates.entries()) {
    if (one.tokens.at(-1)?.value !== value) continue
    const words = other.facts[i]?.words ?? new Set()
    if (words.size < 3) continue
    let same = 0
    for (const word of fact.words) if (words.has(word)) same += 1
    best = Math.max(best, same / Math.min(fact.words.size, words.size))
  }
  return best > 0.8 ? 3 : best > 0.5 ? 2 : best > 0.25 ? 1 : 0
}
