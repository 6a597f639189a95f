import { createYielder } from '../../lib/yielder.ts'
import type { AnswerWord, SharedPassage } from './shared-passages.ts'
import { answerWordsOf, featuresOf, sharedPassages, shinglesOf } from './shared-passages.ts'

export interface QuestionToCompare {
  id: string
  /** Answers that are right or wrong as a whole (numbers, choices, lists) count only where both are wrong in the same way. */
  exact: boolean
  /** What everybody may have: the print, the expected answers and the accepted alternatives. */
  known: readonly string[]
}

export interface PaperToCompare {
  id: number
  /** By question. `normal`: the normal form, for exact questions. `right`: given full points; null where nobody knows. */
  answers: ReadonlyMap<string, { text: string; normal: string; right: boolean | null }>
}

export interface SimilarPair {
  first: number
  second: number
  /** Pairs as alike as this that a class of this size is expected to have by chance; smaller is more unusual. */
  expectedByChance: number
  /** Why: passages in both that do not stand in `known`, and wrong answers in common. Those that tell most first. */
  reasons: SimilarAnswers[]
}

export interface SimilarAnswers {
  questionId: string
  kind: 'words' | 'same_wrong_answer'
  passages: SharedPassage[]
  /** How much this question says, in nats of surprise. */
  weight: number
}

/** One feature of one question, and the papers that have it, by their place in the list. */
interface Posting {
  questionId: string
  papers: number[]
  weight: number
}

/** Features that more than this share of the other papers have are what the class says, not what two say. */
const COMMON = 0.2
/** The most surprise of one feature: a word that one in 150 writes. Beyond, a misspelling would say as much as a sentence. */
const MOST_SURPRISE = 5
/** A shingle says little that its words do not say already. */
const SHINGLE_SHARE = 0.5
/** A reason weaker than this is not worth a teacher's look. */
const LEAST_REASON = 4

/**
 * Pairs of papers whose own words are unusually alike for this class, most unusual first. A hint for a teacher, never a verdict.
 *
 * A feature (stem, shingle, wrong answer) that few others have adds its surprise, −log of the share of other papers with it, to each pair
 * that shares it. `unusualPairs` sets the sums against those of all pairs of the class. Candidates come from an inverted index; pairs
 * that share nothing rare cost nothing.
 *
 * @param most pairs that are told of; passages are looked for in no others
 * @param pause awaited between pieces of the work, so that others have their turn
 */
export async function similarPapers(
  questions: readonly QuestionToCompare[],
  papers: readonly PaperToCompare[],
  most = Number.POSITIVE_INFINITY,
  pause: () => Promise<void> | undefined = createYielder(),
): Promise<SimilarPair[]> {
  const words = new Map<string, AnswerWord[][]>()
  const postings: Posting[] = []
  for (const question of questions) {
    const written: AnswerWord[][] = []
    const features: Set<string>[] = []
    for (const { answers } of papers) {
      const answer = answers.get(question.id)
      const own = question.exact ? [] : answerWordsOf(answer?.text ?? '')
      const isWrong = answer?.right === false && answer.normal !== ''
      written.push(own)
      features.push(question.exact ? new Set(isWrong ? [answer.normal] : []) : featuresOf(own))
      await pause()
    }
    words.set(question.id, written)
    const answered = papers.filter(({ answers }) => answers.get(question.id)?.text.trim()).length
    postings.push(...(await postingsOf(question, features, answered, pause)))
  }
  const byPaper = papers.map((): Posting[] => [])
  for (const posting of postings) for (const paper of posting.papers) byPaper[paper]?.push(posting)
  const known = new Map(questions.map((question) => [question.id, new Set(question.known.flatMap(textShingles))]))
  const found: SimilarPair[] = []
  for (const { first, second, expectedByChance } of (await unusualPairs(byPaper, pause)).slice(0, most)) {
    const [one, other] = [papers[first], papers[second]]
    if (!one || !other) continue
    const shared = byPaper[first]?.filter((posting) => posting.papers.includes(second)) ?? []
    const reasons = questions
      .map((question): SimilarAnswers => {
        const { id: questionId, exact } = question
        const weight = shared.reduce((sum, one) => sum + (one.questionId === questionId ? one.weight : 0), 0)
        const [a = [], b = []] = [first, second].map((at) => words.get(questionId)?.[at])
        const passages =
          exact || weight < LEAST_REASON ? [] : sharedPassages(a, b, { known: known.get(questionId) ?? new Set() })
        return { questionId, kind: exact ? 'same_wrong_answer' : 'words', passages, weight }
      })
      .filter(({ kind, weight }) => weight >= (kind === 'words' ? LEAST_REASON : Number.MIN_VALUE))
      .sort((a, b) => b.weight - a.weight)
    found.push({ first: one.id, second: other.id, expectedByChance, reasons })
    await pause()
  }
  return found
}

const textShingles = (text: string) => shinglesOf(answerWordsOf(text))

/** @param features of each paper's answer @param answered how many wrote anything */
async function postingsOf(
  { id: questionId, exact, known }: QuestionToCompare,
  features: readonly ReadonlySet<string>[],
  answered: number,
  pause: () => Promise<void> | undefined,
): Promise<Posting[]> {
  const knownFeatures = new Set(exact ? [] : known.flatMap((text) => [...featuresOf(answerWordsOf(text))]))
  const papersByFeature = new Map<string, number[]>()
  for (const [at, own] of features.entries()) {
    for (const feature of own) {
      if (knownFeatures.has(feature)) continue
      const list = papersByFeature.get(feature)
      if (list) list.push(at)
      else papersByFeature.set(feature, [at])
    }
    await pause()
  }
  return [...papersByFeature].flatMap(([feature, list]) => {
    const share = shareOfOthers(list.length, answered)
    if (share > COMMON) return []
    const surprise = Math.min(MOST_SURPRISE, -Math.log(share))
    return [{ questionId, papers: list, weight: !exact && feature.includes(' ') ? SHINGLE_SHARE * surprise : surprise }]
  })
}

/** Share of the papers other than a pair that have what the pair has, with half a paper added to none. */
const shareOfOthers = (having: number, all: number) => (Math.max(0, having - 2) + 0.5) / Math.max(1, all - 1)

interface UnusualPair {
  first: number
  second: number
  expectedByChance: number
}

/** Pairs so alike that chance makes more of them than this in a class are no hint. */
const CHANCE_LIMIT = 0.02
/** Least surprise a pair has to share, in nats, however different the others are. */
const LEAST_SHARED = 25
/** Least scale of the tail: a class of five has too few pairs to tell how far chance goes. */
const LEAST_SCALE = 0.75
/** Spread of a pair expected to share nothing, in nats. */
const BASE_SPREAD = 6
/** Of more, the pairs would fill the memory: 200 MB for these. */
const MOST_PAPERS = 5000

/**
 * Pairs of papers that share more than the pairs of this class do by chance. `papers`: the features of each, shared by reference.
 *
 * What two papers share by chance grows with what both wrote: E = κ · La · Lb, where L is the sum of a paper's weights. z = (S − E) / √(E·s + s²).
 * The tail of z is taken as exponential, its scale from the class's own quantiles, which few copies do not move; a pair's tail
 * probability times the number of pairs (Bonferroni) is how many such pairs chance would make.
 *
 * @param pause awaited between pieces of the work
 * @throws {RangeError} for more than 5,000 papers
 */
async function unusualPairs(
  papers: readonly (readonly { papers: number[]; weight: number }[])[],
  pause: () => Promise<void> | undefined,
): Promise<UnusualPair[]> {
  if (papers.length > MOST_PAPERS) throw new RangeError(`More than ${MOST_PAPERS} papers are not compared.`)
  const count = (papers.length * (papers.length - 1)) / 2
  if (count === 0) return []
  // What each pair shares: the first paper with all after it, then the second, and so on.
  const shared = new Float64Array(count)
  let at = 0
  for (const [first, features] of papers.entries()) {
    const row = new Float64Array(papers.length)
    for (const { papers: having, weight } of features)
      for (const second of having) row[second] = (row[second] ?? 0) + weight
    shared.set(row.subarray(first + 1), at)
    at += papers.length - first - 1
    await pause()
  }
  const lengths = papers.map((features) => features.reduce((sum, { weight }) => sum + weight, 0))
  const all = lengths.reduce((total, length) => total + length, 0)
  const products = (all ** 2 - lengths.reduce((total, length) => total + length ** 2, 0)) / 2
  const rate = products > 0 ? (await sumOfUsual(shared, pause)) / products : 0
  const zs = new Float64Array(count)
  for (const { first, second, at } of pairsOf(papers.length)) {
    const expected = rate * (lengths[first] ?? 0) * (lengths[second] ?? 0)
    zs[at] = ((shared[at] ?? 0) - expected) / Math.sqrt(expected * BASE_SPREAD + BASE_SPREAD ** 2)
    if (second === first + 1) await pause()
  }
  const [body, tail] = [
    await nthLargest(zs, Math.ceil(count * 0.3), pause),
    await nthLargest(zs, Math.ceil(count * 0.1), pause),
  ]
  const scale = Math.max(LEAST_SCALE, (tail - body) / Math.log(3))
  const unusual: UnusualPair[] = []
  for (const { first, second, at } of pairsOf(papers.length)) {
    if (second === first + 1) await pause()
    if ((shared[at] ?? 0) < LEAST_SHARED) continue
    const expectedByChance = count * Math.min(1, 0.1 * Math.exp(-((zs[at] ?? 0) - tail) / scale))
    if (expectedByChance <= CHANCE_LIMIT) unusual.push({ first, second, expectedByChance })
  }
  return unusual.sort((a, b) => a.expectedByChance - b.expectedByChance || a.first - b.first || a.second - b.second)
}

function* pairsOf(papers: number) {
  for (let first = 0, at = 0; first < papers; first++)
    for (let second = first + 1; second < papers; second++) yield { first, second, at: at++ }
}

/** Without the top twentieth, so that copies do not pass as what is usual. */
async function sumOfUsual(shared: Float64Array, pause: () => Promise<void> | undefined): Promise<number> {
  const top = Math.ceil(shared.length / 20)
  const limit = await nthLargest(shared, top, pause)
  let [sum, above] = [0, 0]
  for (const weight of shared)
    if (weight > limit) above++
    else sum += weight
  // As many of those at the limit as the top has left.
  return sum - (top - above) * limit
}

/**
 * The value that `n` others are above, by halving the range it is in: sorting millions would hold up everybody else. 0 where it is not
 * above 0.
 */
async function nthLargest(values: Float64Array, n: number, pause: () => Promise<void> | undefined): Promise<number> {
  let low = 0
  let high = values.reduce((most, value) => Math.max(most, value), 0)
  for (let i = 0; i < 60 && low < high; i++) {
    const middle = (low + high) / 2
    let above = 0
    for (const value of values) if (value > middle) above++
    if (above > n) low = middle
    else high = middle
    await pause()
  }
  return high
}
