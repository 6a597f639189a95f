import { type AnswerToGroup, groupAnswers } from '../../server/src/grader/grouping/group-answers.ts'
import { evaluateRows, judgesFor } from '../../server/src/grader/offline/evaluate-rows.ts'
import { selectAnswersToMark, textSimilarity } from '../../server/src/grader/selection/select-answers-to-mark.ts'
import { seededRandom } from '../../server/src/lib/seeded-random.ts'
import { agreementOf, meanOverDraws, rmse } from './agreement.ts'
import type { ScoredRow, ScoredSet } from './scored-rows.ts'

const DRAWS = 6
/** For plain clustering, by character trigrams. */
const PLAIN_THRESHOLD = 0.72

/** Of the answers not marked: r and RMSE with people, the mean error expected and found; RMSE and errors of 1. */
interface Marked {
  pearson: number
  rmse: number
  promised: number
  found: number
  /** Share whose points the decisions moved, by a fiftieth and more. */
  moved: number
}

/** `random`: the mean of six draws. */
export function withMarked(set: ScoredSet, count: number, chosen: 'rule' | 'random'): Marked {
  const alone = evaluateRows(set.rows)
  const draws = Array.from({ length: chosen === 'rule' || count === 0 ? 1 : DRAWS }, (_, draw) => {
    const known =
      chosen === 'rule' ? rowsToMark(set.rows, count) : drawRows(set.rows, count, seededRandom(1000 * count + draw))
    const judged = evaluateRows(set.rows.map((row) => (known.has(row) ? { ...row, teacher_share: row.share } : row)))
    const rest = set.rows.flatMap((row, i) => {
      const [ours, before] = [judged[i], alone[i]]
      return known.has(row) || !ours || !before ? [] : [{ person: row.share, ours, before }]
    })
    const people = rest.map(({ person }) => person)
    const scores = rest.map(({ ours }) => ours.score)
    const { pearson } = agreementOf(
      people,
      scores,
      rest.map(({ ours }) => ours.confidence),
    )
    return {
      pearson,
      rmse: rmse(people, scores),
      promised: meanOf(rest.map(({ ours }) => 1 - ours.confidence)),
      found: meanOf(rest.map(({ person, ours }) => Math.abs(person - ours.score))),
      moved: meanOf(rest.map(({ ours, before }) => (Math.abs(ours.score - before.score) >= 0.02 ? 1 : 0))),
    }
  })
  const over = (name: keyof Marked) => meanOverDraws(draws.map((draw) => draw[name])).mean
  const [pearson, found, moved] = [over('pearson'), over('found'), over('moved')]
  return { pearson, rmse: over('rmse'), promised: over('promised'), found, moved }
}

function rowsToMark(rows: ScoredRow[], count: number): Set<ScoredRow> {
  const chosen = judgesFor(rows).judged.flatMap(({ group, judge, criterion }) => {
    const answers = group.map((_, i) => {
      const { share, confidence, comparable } = judge.predict(i, criterion)
      return { share, error: 1 - confidence, count: 1, comparable, decided: false }
    })
    const next = selectAnswersToMark(answers, textSimilarity(group.map((row) => row.student_answer)), { count })
    return next.flatMap((i) => group[i] ?? [])
  })
  return new Set(chosen)
}

export function drawRows(rows: ScoredRow[], count: number, random: () => number): Set<ScoredRow> {
  const drawn = new Set<ScoredRow>()
  for (const group of Map.groupBy(rows, (row) => row.question_id).values()) {
    const left = [...group]
    for (let i = 0; i < count && left.length > 1; i++)
      for (const row of left.splice(Math.floor(random() * left.length), 1)) drawn.add(row)
  }
  return drawn
}

interface Grouped {
  /** Answers in a group of two and more. */
  inGroups: number
  /** Pairs within a group that people gave the same score. */
  samePairs: number
  pairs: number
  /** Answers that need no look of their own where one of each group is looked at. */
  spared: number
}

export function groupedByUs({ rows }: ScoredSet): Grouped {
  const { judged, idf } = judgesFor(rows)
  const places = new Map(rows.map((row, i) => [row, i]))
  const groups = judged.flatMap(({ group, judge, criterion }) => {
    const answers = group.map((row, i): AnswerToGroup => {
      const { share } = judge.predict(i, criterion)
      return { id: places.get(row) ?? 0, text: row.student_answer, state: 'read', share }
    })
    return groupAnswers(answers, judge.question, { idf }).map(({ variants }) => variants.flatMap(({ ids }) => ids))
  })
  return groupedFigures(rows, groups)
}

/** Complete linkage: what any spreadsheet add-in would do. */
export function groupedPlainly({ rows }: ScoredSet): Grouped {
  const places = rows.map((_, i) => i)
  const groups = [...Map.groupBy(places, (i) => rows[i]?.question_id).values()].flatMap((own) => {
    const trigrams = new Map(own.map((i) => [i, trigramsOf(rows[i]?.student_answer ?? '')]))
    const like = (a: number, b: number) => dice(trigrams.get(a) ?? new Set(), trigrams.get(b) ?? new Set())
    return completeLinkage(own, like)
  })
  return groupedFigures(rows, groups)
}

function completeLinkage(places: number[], like: (a: number, b: number) => number): number[][] {
  const clusters = places.map((place) => [place])
  for (;;) {
    let best: { a: number; b: number; least: number } | null = null
    for (const [a, one] of clusters.entries())
      for (let b = a + 1; b < clusters.length; b++) {
        const least = Math.min(...one.flatMap((i) => (clusters[b] ?? []).map((j) => like(i, j))))
        if (least >= PLAIN_THRESHOLD && least > (best?.least ?? 0)) best = { a, b, least }
      }
    if (!best) return clusters
    clusters[best.a]?.push(...(clusters.splice(best.b, 1)[0] ?? []))
  }
}

function groupedFigures(rows: ScoredRow[], groups: number[][]): Grouped {
  const several = groups.filter(({ length }) => length > 1)
  const pairs = several.flatMap((group) =>
    group.flatMap((a, i) =>
      group.slice(i + 1).map((b) => Math.abs((rows[a]?.share ?? 0) - (rows[b]?.share ?? 0)) < 1e-9),
    ),
  )
  return {
    inGroups: several.reduce((sum, { length }) => sum + length, 0) / rows.length,
    samePairs: pairs.filter(Boolean).length / Math.max(1, pairs.length),
    pairs: pairs.length,
    spared: 1 - groups.length / rows.length,
  }
}

function trigramsOf(text: string): Set<string> {
  const padded = ` ${text.toLowerCase().replace(/\s+/g, ' ').trim()} `
  return new Set(Array.from({ length: Math.max(0, padded.length - 2) }, (_, i) => padded.slice(i, i + 3)))
}

function dice(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((gram) => b.has(gram)).length
  return a.size + b.size > 0 ? (2 * shared) / (a.size + b.size) : 0
}

const meanOf = (values: number[]) => values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length)
