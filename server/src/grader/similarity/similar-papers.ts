import { createYielder } from '../../lib/yielder.ts'
import type { AnswerWord, SharedPassage } from './shared-passages.ts'
import { answerWordsOf, featuresOf, sharedPassages, shinglesOf } from './shared-passages.ts'

export interface QuestionToCompare {
  id: string
  /** Numbers, choices and lists count only where both are wrong in the same way. */
  exact: boolean
  /** The print, expected answers and alternatives. */
  known: readonly string[]
}

export interface PaperToCompare {
  id: number
  /** By question. `normal`: for exact questions. `right`: full points; null where nobody knows. */
  answers: ReadonlyMap<string, { text: string; normal: string; right: boolean | null }>
}

export interface SimilarPair {
  first: number
  second: number
  /** Pairs this alike expected by chance in such a class. */
  expectedByChance: number
  /** Passages not in `known`, and shared wrong answers, most telling first. */
  reasons: SimilarAnswers[]
}

export interface SimilarAnswers {
  questionId: string
  kind: 'words' | 'same_wrong_answer'
  passages: SharedPassage[]
  /** In nats. */
  weight: number
}

interface Posting {
  questionId: string
  papers: number[]
  weight: number
}

/** Features that a larger share of papers has are the class's. */
const COMMON = 0.2
/** A word of one in 150; beyond, a misspelling would weigh as much as a sentence. */
const MOST_SURPRISE = 5
const SHINGLE_SHARE = 0.5
const LEAST_REASON = 4

/**
 * A hint, never a verdict. A rare feature (stem, shingle, wrong answer) adds −log of the share of other papers with it
 * to each pair sharing it; `unusualPairs` compares the sums. `pause` lets others run between pieces.
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
        const passages = exact || weight < LEAST_REASON ? [] : sharedPassages(a, b, known.get(questionId))
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

/** `answered`: how many wrote anything. */
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

/** Of papers other than the pair, half a paper added to none. */
const shareOfOthers = (having: number, all: number) => (Math.max(0, having - 2) + 0.5) / Math.max(1, all - 1)

/** Expected pairs by chance. */
const CHANCE_LIMIT = 0.02
/** In nats, however different the others are. */
const LEAST_SHARED = 25
/** A class of five has too few pairs to tell how far chance goes. */
const LEAST_SCALE = 0.75
/** In nats, of a pair expected to share nothing. */
const BASE_SPREAD = 6
/** 200 MB of pairs. */
const MOST_PAPERS = 5000

/**
 * Expects E = κ · La · Lb by chance, L being the sum of a paper's weights; z = (S − E) / √(E·s + s²). z's tail is taken
 * as exponential, scaled by the class's quantiles, which few copies do not move; tail probability times pairs
 * (Bonferroni) is the number by chance. @throws {RangeError} for more than 5,000 papers
 */
async function unusualPairs(
  papers: readonly (readonly { papers: number[]; weight: number }[])[],
  pause: () => Promise<void> | undefined,
): Promise<Omit<SimilarPair, 'reasons'>[]> {
  if (papers.length > MOST_PAPERS) throw new RangeError(`More than ${MOST_PAPERS} papers are not compared.`)
  const count = (papers.length * (papers.length - 1)) / 2
  if (count === 0) return []
  // Row by row: the first paper with all after it, then the second.
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
  const body = await nthLargest(zs, Math.ceil(count * 0.3), pause)
  const tail = await nthLargest(zs, Math.ceil(count * 0.1), pause)
  const scale = Math.max(LEAST_SCALE, (tail - body) / Math.log(3))
  const unusual: Omit<SimilarPair, 'reasons'>[] = []
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

/** Without the top twentieth, so that copies do not count as usual. */
async function sumOfUsual(shared: Float64Array, pause: () => Promise<void> | undefined): Promise<number> {
  const top = Math.ceil(shared.length / 20)
  const limit = await nthLargest(shared, top, pause)
  let [sum, above] = [0, 0]
  for (const weight of shared)
    if (weight > limit) above++
    else sum += weight
  return sum - (top - above) * limit
}

/** Exceeded by `n` others, at least 0; by bisection, as sorting millions would block. */
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
