import { createYielder } from '../../lib/yielder.ts'
import { type AnswerWord, answerWordsOf, featuresOf, shinglesOf } from './answer-words.ts'
import { type SharedPassage, sharedPassages } from './shared-passages.ts'
import { unusualPairs } from './unusual-pairs.ts'

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
