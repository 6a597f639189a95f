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
/** How far it is, by the time each step takes in a large class: words read, features listed, pairs compared. */
const [WORDS_SHARE, POSTINGS_SHARE, PAIRS_SHARE] = [0.15, 0.4, 0.95]
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
 * @param progress how far it is, 0..1, now and then
 */
export function similarPapers(
  questions: readonly QuestionToCompare[],
  papers: readonly PaperToCompare[],
  most = Number.POSITIVE_INFINITY,
  progress: (share: number) => void = () => {},
): SimilarPair[] {
  const words = wordsByPaper(questions, papers)
  progress(WORDS_SHARE)
  const postings = questions.flatMap((question, i) => {
    const found = postingsOf(question, papers, words)
    progress(WORDS_SHARE + ((POSTINGS_SHARE - WORDS_SHARE) * (i + 1)) / questions.length)
    return found
  })
  const byPaper = papers.map((): Posting[] => [])
  for (const posting of postings) for (const paper of posting.papers) byPaper[paper]?.push(posting)
  const known = new Map(questions.map((question) => [question.id, new Set(question.known.flatMap(textShingles))]))
  const pairs = unusualPairs(byPaper, (share) => progress(POSTINGS_SHARE + (PAIRS_SHARE - POSTINGS_SHARE) * share))
  const found = pairs.slice(0, Math.min(most, pairs.length)).flatMap(({ first, second, expectedByChance }) => {
    const [one, other] = [papers[first], papers[second]]
    if (!one || !other) return []
    const shared = byPaper[first]?.filter((posting) => posting.papers.includes(second)) ?? []
    const reasons = questions
      .map((question): SimilarAnswers => {
        const weight = shared
          .filter(({ questionId }) => questionId === question.id)
          .reduce((sum, posting) => sum + posting.weight, 0)
        const passages =
          question.exact || weight < LEAST_REASON
            ? []
            : sharedPassages(words[first]?.get(question.id) ?? [], words[second]?.get(question.id) ?? [], {
                known: known.get(question.id) ?? new Set(),
              })
        return { questionId: question.id, kind: question.exact ? 'same_wrong_answer' : 'words', passages, weight }
      })
      .filter(({ kind, weight }) => weight >= (kind === 'words' ? LEAST_REASON : Number.MIN_VALUE))
      .sort((a, b) => b.weight - a.weight)
    return [{ first: one.id, second: other.id, expectedByChance, reasons }]
  })
  progress(1)
  return found
}

const textShingles = (text: string) => shinglesOf(answerWordsOf(text))

function wordsByPaper(questions: readonly QuestionToCompare[], papers: readonly PaperToCompare[]) {
  const written = questions.filter(({ exact }) => !exact)
  return papers.map(
    ({ answers }) =>
      new Map(written.map(({ id }): [string, AnswerWord[]] => [id, answerWordsOf(answers.get(id)?.text ?? '')])),
  )
}

function postingsOf(
  { id: questionId, exact, known }: QuestionToCompare,
  papers: readonly PaperToCompare[],
  words: readonly ReadonlyMap<string, AnswerWord[]>[],
): Posting[] {
  const knownFeatures = new Set(known.flatMap((text) => [...featuresOf(answerWordsOf(text))]))
  const papersByFeature = new Map<string, number[]>()
  let answered = 0
  for (const [at, { answers }] of papers.entries()) {
    const answer = answers.get(questionId)
    if (!answer || answer.text.trim() === '') continue
    answered++
    const wrong = answer.right === false && answer.normal !== '' ? [answer.normal] : []
    for (const feature of exact ? wrong : featuresOf(words[at]?.get(questionId) ?? [])) {
      if (!exact && knownFeatures.has(feature)) continue
      const list = papersByFeature.get(feature)
      if (list) list.push(at)
      else papersByFeature.set(feature, [at])
    }
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
