import type { Question } from '@assay/shared/rubrics.ts'
import { mean } from '../../lib/numbers.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AnswerState } from '../grader.ts'
import { AnswerLikeness, normalFormOf } from './normal-form.ts'

interface Variant extends AnswerVariant {
  form: string
  share: number | null
}

/**
 * Groups by `normalFormOf`, then by similarity; highest expected points first. Unreadable answers lead, as only a
 * person can grade them. Independent of order; 10,000 answers take a second or two of CPU.
 */
export function groupAnswers(
  answers: readonly AnswerToGroup[],
  question: Pick<Question, 'prompt' | 'kind' | 'criteria'>,
  { idf = () => 1 }: { idf?: (term: string) => number } = {},
): AnswerGroup[] {
  const sorted = [...answers].sort((a, b) => a.id - b.id)
  const read = sorted.filter(({ state }) => state === 'read')
  const variants = variantsOf(read, normalFormOf(question))
  // 5 is not nearly 6.
  const exact = variants.filter(({ form }) => !form.startsWith('words '))
  const worded = variants.filter(({ form }) => form.startsWith('words '))
  // Only the most frequent are compared pairwise.
  worded.sort((a, b) => b.ids.length - a.ids.length || (a.ids[0] ?? 0) - (b.ids[0] ?? 0))
  const likeness = new AnswerLikeness(question, worded, idf)
  const clusters = clusterAnswers(likeness, worded.length).map((cluster) => cluster.flatMap((i) => worded[i] ?? []))
  const written = [...clusters, ...exact.map((variant) => [variant])].map(groupOf)
  written.sort((a, b) => (b.share ?? -1) - (a.share ?? -1) || b.size - a.size || firstId(a) - firstId(b))
  return [...wordlessGroups(sorted, ['unreadable']), ...written, ...wordlessGroups(sorted, ['empty', 'not_found'])]
}

function variantsOf(answers: AnswerToGroup[], normalForm: (text: string) => string): Variant[] {
  return [...Map.groupBy(answers, ({ text }) => normalForm(text))].map(([form, all]) => ({
    form,
    text: all[0]?.text ?? '',
    ids: all.map(({ id }) => id),
    share: meanShare(all.map(({ share }) => share)),
  }))
}

function groupOf(variants: Variant[]): AnswerGroup {
  const ordered = [...variants].sort((a, b) => b.ids.length - a.ids.length || (a.ids[0] ?? 0) - (b.ids[0] ?? 0))
  const first = variants.reduce((one, other) => ((other.ids[0] ?? 0) < (one.ids[0] ?? 0) ? other : one))
  const size = variants.reduce((sum, { ids }) => sum + ids.length, 0)
  const kind = variants.length > 1 ? 'similar' : size > 1 ? 'same' : 'single'
  return {
    id: hashOf(first.form, 'base64url').slice(0, 12),
    kind,
    variants: ordered.map(({ text, ids }) => ({ text, ids })),
    size,
    share: meanShare(variants.flatMap(({ ids, share }) => ids.map(() => share))),
  }
}

type WordlessKind = AnswerGroupKind & AnswerToGroup['state']

const wordlessGroups = (answers: AnswerToGroup[], kinds: WordlessKind[]): AnswerGroup[] =>
  kinds.flatMap((kind) => {
    const own = answers.filter(({ state }) => state === kind)
    if (own.length === 0) return []
    const ids = own.map(({ id }) => id)
    const share = meanShare(own.map((one) => one.share))
    return [{ id: kind, kind, variants: [{ text: '', ids }], size: own.length, share }]
  })

export function meanShare(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null)
  return known.length > 0 ? mean(known) : null
}

const firstId = ({ variants }: AnswerGroup): number => Math.min(...variants.map(({ ids }) => ids[0] ?? 0))

/** Compared pairwise, a second of CPU for ten thousand; further answers join the most similar cluster. */
const MOST_COMPARED = 500
const CANDIDATES = 4
const MEMBERS = 4
const RAREST = 4
const LONGEST_POSTING = 100

/** Average linkage (Sokal & Michener, 1958). Ascending indexes, clusters by their first. */
function clusterAnswers(likeness: AnswerLikeness, count: number): number[][] {
  const compared = Math.min(count, MOST_COMPARED)
  const clusters = [...Map.groupBy(Array(compared).keys(), (i) => likeness.blocks[i]).values()].flatMap((block) =>
    linkByAverage(block, likeness),
  )
  if (count > compared) assignFurther(clusters, likeness, compared, count)
  return clusters.map((cluster) => cluster.sort((a, b) => a - b)).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0))
}

function linkByAverage(members: number[], likeness: AnswerLikeness): number[][] {
  const size = members.length
  const clusters: (number[] | null)[] = members.map((member) => [member])
  const between = members.map((a, i) =>
    Float64Array.from(members, (b, j) => (i === j ? Number.NEGATIVE_INFINITY : j > i ? likeness.between(a, b) : 0)),
  )
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) row(i)[j] = row(j)[i] ?? 0
  const nearest = clusters.map((_, i) => nearestTo(i))
  for (;;) {
    let best = -1
    for (let i = 0; i < size; i++) if (clusters[i] && at(i) > (best < 0 ? Number.NEGATIVE_INFINITY : at(best))) best = i
    if (best < 0 || at(best) < 0) return clusters.filter((cluster) => cluster !== null)
    const other = nearest[best] ?? -1
    if (!areOpposed(clusters[best] ?? [], clusters[other] ?? [], likeness)) {
      join(best, other)
      continue
    }
    row(best)[other] = Number.NEGATIVE_INFINITY
    row(other)[best] = Number.NEGATIVE_INFINITY
    for (const i of [best, other]) nearest[i] = nearestTo(i)
  }

  function row(i: number): Float64Array {
    return between[i] ?? new Float64Array(size)
  }
  function at(i: number): number {
    return row(i)[nearest[i] ?? -1] ?? Number.NEGATIVE_INFINITY
  }
  function nearestTo(i: number): number {
    let best = -1
    for (let j = 0; j < size; j++)
      if (clusters[j] && j !== i && (best < 0 || (row(i)[j] ?? 0) > (row(i)[best] ?? 0))) best = j
    return best
  }
  function join(a: number, b: number): void {
    const [into, from] = [clusters[a] ?? [], clusters[b] ?? []]
    for (let k = 0; k < size; k++) {
      if (!clusters[k] || k === a || k === b) continue
      const mean = (into.length * (row(a)[k] ?? 0) + from.length * (row(b)[k] ?? 0)) / (into.length + from.length)
      row(a)[k] = mean
      row(k)[a] = mean
    }
    clusters[a] = [...into, ...from]
    clusters[b] = null
    for (let k = 0; k < size; k++)
      if (clusters[k] && (k === a || nearest[k] === a || nearest[k] === b)) nearest[k] = nearestTo(k)
      else if (clusters[k] && (row(k)[a] ?? 0) > at(k)) nearest[k] = a
  }
}

const areOpposed = (cluster: readonly number[], other: readonly number[], likeness: AnswerLikeness): boolean =>
  cluster.some((a) => other.some((b) => likeness.contradict(a, b)))

/** Joins the most similar cluster of its block that shares its rarest terms, or begins one. */
function assignFurther(clusters: number[][], likeness: AnswerLikeness, from: number, to: number): void {
  const index = new Map<string, number[]>()
  const keysOf = (i: number) => [...likeness.termsOf(i).keys()].map((term) => `${likeness.blocks[i]}\n${term}`)
  const list = (i: number, cluster: number) => {
    for (const key of keysOf(i)) {
      const having = index.get(key)
      if (!having) index.set(key, [cluster])
      else if (having.at(-1) !== cluster) having.push(cluster)
    }
  }
  for (const [c, cluster] of clusters.entries()) for (const member of cluster.slice(0, MEMBERS)) list(member, c)
  for (let i = from; i < to; i++) {
    const shared = new Map<number, number>()
    const having = keysOf(i).flatMap((key) => [index.get(key) ?? []])
    having.sort((a, b) => a.length - b.length)
    for (const some of having.slice(0, RAREST))
      for (const c of some.slice(0, LONGEST_POSTING)) shared.set(c, (shared.get(c) ?? 0) + 1 / some.length)
    let best = -1
    let most = 0
    for (const [c] of [...shared].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, CANDIDATES)) {
      const some = clusters[c]?.slice(0, MEMBERS) ?? []
      const mean = some.reduce((sum, member) => sum + likeness.between(i, member), 0) / Math.max(1, some.length)
      if (mean < 0 || (best >= 0 && mean <= most) || areOpposed([i], clusters[c] ?? [], likeness)) continue
      best = c
      most = mean
    }
    if (best >= 0) clusters[best]?.push(i)
    else if (clusters.push([i]) > 0) list(i, clusters.length - 1)
  }
}

export interface AnswerToGroup {
  /** The submission's. */
  id: number
  text: string
  state: AnswerState
  /** Expected share of the points, 0..1; null without a score. */
  share: number | null
}

/** Equal but for case, punctuation, spelling of numbers and the like. */
interface AnswerVariant {
  /** As written in the submission with the lowest id. */
  text: string
  /** Submissions, ascending. */
  ids: number[]
}

/** `same`: one variant of several writers. `similar`: several variants. */
type AnswerGroupKind = 'same' | 'similar' | 'single' | 'empty' | 'not_found' | 'unreadable'

export interface AnswerGroup {
  /** Submissions with higher ids do not change it. */
  id: string
  kind: AnswerGroupKind
  /** Most frequent first. `empty`, `not_found` and `unreadable` have one. */
  variants: AnswerVariant[]
  size: number
  /** Mean expected share of the points, 0..1; null without scores. */
  share: number | null
}
