import type { Question } from '@assay/shared/rubrics.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { AnswerGroup, AnswerGroupKind, AnswerToGroup, AnswerVariant } from './answer-group.ts'
import { AnswerLikeness } from './answer-likeness.ts'
import { clusterAnswers } from './cluster-answers.ts'
import { normalFormOf } from './normal-form.ts'

export interface GroupingOptions {
  /** How rare a term is among the questions of the paper (`inverseDocumentFrequencies`). Absent: all count alike. */
  idf?: (term: string) => number
}

interface Variant extends AnswerVariant {
  form: string
  share: number | null
}

/**
 * Groups everyone's answers to one question, those expected to earn most first: what says the same (`normalFormOf`), then what says nearly
 * the same in other words. What was written and could not be read comes first, as only a person can grade it; what is empty or not found
 * stands apart, at the end. The same answers give the same groups in whatever order they come. 10,000 answers take a second or two of CPU.
 */
export function groupAnswers(
  answers: readonly AnswerToGroup[],
  question: Pick<Question, 'prompt' | 'kind' | 'criteria'>,
  { idf = () => 1 }: GroupingOptions = {},
): AnswerGroup[] {
  const sorted = [...answers].sort((a, b) => a.id - b.id)
  const variants = variantsOf(
    sorted.filter(({ state }) => state === 'read'),
    normalFormOf(question),
  )
  // What was read exactly is the same or it is not: 5 is not nearly 6.
  const [worded, exact] = partition(variants, ({ form }) => form.startsWith('words '))
  // The most frequent first, so that they are among those compared each with each.
  worded.sort((a, b) => b.ids.length - a.ids.length || (a.ids[0] ?? 0) - (b.ids[0] ?? 0))
  const likeness = new AnswerLikeness(
    question,
    worded.map(({ text }) => text),
    worded.map(({ share }) => share),
    idf,
  )
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
    return [
      {
        id: kind,
        kind,
        variants: [{ text: '', ids }],
        size: own.length,
        share: meanShare(own.map((one) => one.share)),
      },
    ]
  })

function meanShare(shares: readonly (number | null)[]): number | null {
  const known = shares.filter((share) => share !== null)
  return known.length > 0 ? known.reduce((sum, share) => sum + share, 0) / known.length : null
}

const firstId = ({ variants }: AnswerGroup): number => Math.min(...variants.map(({ ids }) => ids[0] ?? 0))

const partition = <T>(all: readonly T[], is: (one: T) => boolean): [T[], T[]] => [
  all.filter(is),
  all.filter((one) => !is(one)),
]
