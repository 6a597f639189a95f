import type { UnscoredReason } from '@assay/shared/grades.ts'
import type { Evidence } from '@assay/shared/papers.ts'
import type { Criterion, Question, Rubric } from '@assay/shared/rubrics.ts'
import { EXACT_KINDS, exactJudgement, type Judgement } from '../exact/judgement.ts'
import { answerState } from '../extraction/answer-state.ts'
import { regionsToGrade } from '../extraction/regions-to-grade.ts'
import type {
  Anchor,
  Answer,
  ExtractedSubmission,
  ScoresByPaper,
  SuggestedCriterion,
  SuggestedGrade,
} from '../grader.ts'
import { summariseGrade } from '../scoring/grade-summary.ts'
import { gradeFrom, LOW_READING_CONFIDENCE } from '../scoring/low-confidence.ts'
import { levelOf, roundToStep } from '../scoring/score-curve.ts'
import { type TeacherScores, teacherScoresFor, withTeacherScores } from '../scoring/teacher-scores.ts'
import { spellingSimilarity } from '../text/fuzzy-match.ts'
import { inverseDocumentFrequencies, stemOf, termsOf } from '../text/terms.ts'
import { feedbackFor } from './feedback.ts'
import { EMPTY_CONFIDENCE, QuestionJudge } from './judge-question.ts'
import { type JudgedCriterion, reviewReasons } from './review-reasons.ts'

/** In scans, two in five answers that looked empty were not. */
const UNSEEN_CONFIDENCE = 0.6

/** Sent to the worker, in the rubric's order. */
export interface ClassTexts {
  submissions: {
    id: number
    texts: Record<string, string>
    /** Hard to read: compared with an exact key, never with the class. */
    doubtful?: Record<string, string>
  }[]
}

export class ClassJudge {
  readonly #rubric: Rubric
  readonly #index: Map<number, number>
  readonly #judges = new Map<string, QuestionJudge>()
  readonly #anchors: Anchor[]
  readonly #textOf: (questionId: string, index: number) => string
  readonly #scores = new Map<string, Record<string, number | null>>()

  constructor(rubric: Rubric, everyone: ClassTexts, anchors: Anchor[] = []) {
    this.#rubric = rubric
    this.#anchors = anchors
    // By id, so that the order of papers changes nothing.
    const submissions = [...everyone.submissions].sort((a, b) => a.id - b.id)
    this.#index = new Map(submissions.map(({ id }, i) => [id, i]))
    this.#textOf = (id, index) => submissions[index]?.texts[id] ?? submissions[index]?.doubtful?.[id] ?? ''
    const textsOf = (id: string) => submissions.map(({ texts }) => texts[id] ?? '')
    const allTexts = ({ id, prompt, criteria }: Question) => [
      prompt,
      ...criteria.map(({ expected }) => expected),
      ...textsOf(id),
    ]
    const idf = inverseDocumentFrequencies(rubric.questions.map(allTexts))
    for (const question of rubric.questions) {
      const own = textsOf(question.id)
      const read = EXACT_KINDS.has(question.kind)
        ? own.map((text, i) => text || (submissions[i]?.doubtful?.[question.id] ?? ''))
        : own
      this.#judges.set(question.id, new QuestionJudge(question, read, idf))
    }
    if (anchors.length > 0) this.#takeDecisions()
  }

  #takeDecisions(): void {
    const byCriterion = Map.groupBy(this.#anchors, (anchor) => anchor.criterion_id)
    for (const question of this.#rubric.questions) {
      for (const criterion of question.criteria) {
        const decided = (byCriterion.get(criterion.id) ?? []).flatMap(({ submission_id, score }) => {
          const index = this.#index.get(submission_id)
          const share = Math.min(1, Math.max(0, score / criterion.points))
          return index === undefined ? [] : [{ index, share }]
        })
        this.#judges.get(question.id)?.addTeacherDecisions(criterion, decided)
      }
    }
  }

  grade(id: number, extracted: ExtractedSubmission): SuggestedGrade {
    const index = this.#index.get(id)
    if (index === undefined) throw new RangeError(`Submission ${id} is not among the class.`)
    const settled = teacherScoresFor(id, this.#anchors)
    const each = this.#rubric.questions.flatMap((question) =>
      question.criteria.map((criterion) => this.#judge(question.id, criterion, index, extracted, settled)),
    )
    const judged = doubtCarriedErrors(this.#rubric, each)
    const criteria = judged.map(({ suggestion }) => suggestion)
    const reasons = reviewReasons(this.#rubric, extracted, judged)
    return gradeFrom(criteria, reasons, summariseGrade(this.#rubric.questions, withTeacherScores(criteria, settled)))
  }

  /** As `grade`, for one question of many papers. */
  scores(questionId: string, papers: { id: number; extracted: ExtractedSubmission }[]): ScoresByPaper {
    const criteria = this.#rubric.questions.find(({ id }) => id === questionId)?.criteria ?? []
    return new Map(
      papers.map(({ id, extracted }) => {
        const index = this.#index.get(id)
        if (index === undefined) throw new RangeError(`Submission ${id} is not among the class.`)
        const settled = teacherScoresFor(id, this.#anchors)
        const known = this.#scores.get(this.#scoreKey(questionId, index, extracted, settled))
        if (known) return [id, known]
        const scores = Object.fromEntries(
          criteria.map((criterion) => {
            const { suggestion } = this.#judge(questionId, criterion, index, extracted, settled)
            return [criterion.id, suggestion.score]
          }),
        )
        this.#scores.set(this.#scoreKey(questionId, index, extracted, settled), scores)
        return [id, scores]
      }),
    )
  }

  /** All that a score depends on. */
  #scoreKey(questionId: string, index: number, extracted: ExtractedSubmission, settled: TeacherScores): string {
    const answer = extracted.answers.find(({ question_id }) => question_id === questionId)
    const others = extracted.answers.map((one) => [one.reading < 1, answerState(one)])
    const { text, found, reading, unreadable, seen } = answer ?? {}
    const words = this.#textOf(questionId, index)
    return JSON.stringify([questionId, words, text, found, reading, unreadable, seen, others, settled])
  }

  #judge(
    questionId: string,
    criterion: Criterion,
    index: number,
    extracted: ExtractedSubmission,
    settled: TeacherScores,
  ): JudgedCriterion {
    const question = this.#rubric.questions.find((one) => one.id === questionId)
    const judge = this.#judges.get(questionId)
    if (!question || !judge) throw new RangeError(`Question ${questionId} is not in the rubric.`)
    const answer = extracted.answers.find((one) => one.question_id === questionId) ?? {
      question_id: questionId,
      text: '',
      found: false,
      evidence: [],
      reading: 1,
    }
    const given = settled[criterion.id]
    // Only who has looked at the page knows that nothing was drawn.
    const isUnwritten = isEmptyEssay(question, answer, extracted) || (answer.seen && answerState(answer) === 'empty')
    const judgement = isUnwritten
      ? exactJudgement(0, EMPTY_CONFIDENCE, 'empty')
      : answer.found || judge.needsHuman
        ? judge.judge(index, criterion, given !== undefined)
        : exactJudgement(0, 0, 'empty')
    const about = {
      criterion_id: criterion.id,
      question_id: questionId,
      criterion_text: criterion.text,
      ...(question.bonus ? { bonus: question.bonus } : {}),
    }
    const confirmed = isConfirmedByKey(answer, judgement, extracted)
    const unscored = confirmed ? null : unscoredReasonOf(answer, judgement)
    if (unscored) {
      const evidence = regionsToGrade(question, answer, extracted.page_order)
      const nothing = { score: null, unscored_reason: unscored, level: null, feedback: '', confidence: 0 }
      return { suggestion: { ...about, ...nothing, max_score: criterion.points, evidence }, judgement }
    }
    const score = roundToStep(judgement.share, criterion.points)
    const shareOfPoints = (points: number) => (criterion.points > 0 ? points / criterion.points : 0)
    const reading = confirmed ? 1 : trustInReading(answer, judgement)
    // In a scan, what looks empty may be faint writing.
    const unseen =
      judgement.remarks.includes('empty') && !answer.seen && extracted.answers.some((one) => one.reading < 1)
    const confidence = unseen ? Math.min(judgement.confidence, UNSEEN_CONFIDENCE) : judgement.confidence
    const suggestion: SuggestedCriterion = {
      ...about,
      score,
      max_score: criterion.points,
      level: levelOf(shareOfPoints(score)),
      // Goes with the points that count.
      feedback:
        given === undefined
          ? feedbackFor(question, criterion, judgement, shareOfPoints(score))
          : feedbackFor(question, criterion, asDecided(judgement), shareOfPoints(given)),
      confidence: Math.round(confidence * reading * 1000) / 1000,
      evidence: chooseEvidence(answer.evidence, judgement.matched),
    }
    return { suggestion, judgement }
  }
}

/** Scans may hide words and drawings have none, so both stay with the teacher. */
const isEmptyEssay = ({ kind }: Question, answer: Answer, { answers }: ExtractedSubmission): boolean =>
  kind === 'essay' && answerState(answer) === 'empty' && answers.every(({ reading }) => reading === 1)

const asDecided = (judgement: Judgement): Judgement => ({ ...judgement, remarks: ['as_decided'] })

const MAX_LINES = 4

function chooseEvidence(lines: Evidence[], matched: string[]): Evidence[] {
  if (lines.length <= 2) return lines
  const wanted = matched.map(stemOf)
  const scored = lines.map((line, i) => {
    const terms = new Set(termsOf(line.quote))
    const carried = wanted.filter((stem) => [...terms].some((term) => spellingSimilarity(stem, term) >= 0.75)).length
    return { i, line, carried }
  })
  const carrying = scored
    .filter(({ carried }) => carried > 0)
    .sort((a, b) => b.carried - a.carried || a.i - b.i)
    .slice(0, MAX_LINES)
    .sort((a, b) => a.i - b.i)
  return (carrying.length > 0 ? carrying : scored.slice(0, 2)).map(({ line }) => line)
}

/** Many schemes give points for a wrong number that follows from an earlier one. */
const MAY_FOLLOW = 0.75

const mainNumberOf = (number: string): string => /\d+/.exec(number)?.[0] ?? number

export function doubtCarriedErrors(
  { questions }: Pick<Rubric, 'questions'>,
  judged: JudgedCriterion[],
): JudgedCriterion[] {
  const wrongBefore = new Set<string>()
  const doubted = new Set<JudgedCriterion>()
  for (const { id, number, kind } of questions) {
    if (kind !== 'number') continue
    const main = mainNumberOf(number)
    const wrong = judged.filter(
      ({ suggestion, judgement }) =>
        suggestion.question_id === id && suggestion.score === 0 && judgement.remarks.includes('exact_wrong'),
    )
    if (wrongBefore.has(main)) for (const one of wrong) doubted.add(one)
    if (wrong.length > 0) wrongBefore.add(main)
  }
  return judged.map((one) =>
    doubted.has(one)
      ? { ...one, suggestion: { ...one.suggestion, confidence: Math.min(one.suggestion.confidence, MAY_FOLLOW) } }
      : one,
  )
}

function unscoredReasonOf(answer: Answer, { remarks }: Pick<Judgement, 'remarks'>): UnscoredReason | null {
  if (remarks.includes('cannot_judge')) return 'cannot_judge'
  const state = answerState(answer)
  if (state === 'not_found' || state === 'unreadable') return state
  return remarks.includes('no_key') ? 'no_expected_answer' : null
}

/** Share of printed lines OCR reads exactly, by confidence (`docs/lab/papers.md`). */
const READ_RIGHT = [
  { from: 0.93, share: 1 },
  { from: 0.85, share: 0.8 },
  { from: LOW_READING_CONFIDENCE, share: 0.7 },
]

/** A misread answer may have been right, but misreading hardly makes one right. */
function trustInReading({ reading }: Answer, { share }: Pick<Judgement, 'share'>): number {
  if (reading < LOW_READING_CONFIDENCE) return reading
  return share >= 1 ? 1 : (READ_RIGHT.find(({ from }) => reading >= from)?.share ?? 1)
}

/** Only where print on the same paper could be read. */
export function mayBeConfirmed(answer: Answer, { answers }: ExtractedSubmission): boolean {
  // A person judges a hand that OCR cannot read, and what a model could not read.
  if (answerState(answer) !== 'unreadable' || answer.seen) return false
  return answers.some((one) => one.reading < 1 && answerState(one) === 'read')
}

/** Shorter answers match by chance. */
const FEWEST_LETTERS = 3
const CONFIRMED = 0.9

function isConfirmedByKey(
  answer: Answer,
  { share, confidence, remarks }: Pick<Judgement, 'share' | 'confidence' | 'remarks'>,
  extracted: ExtractedSubmission,
): boolean {
  if (!mayBeConfirmed(answer, extracted) || share < 1 || confidence < CONFIRMED) return false
  if (!remarks.includes('exact_right') && !remarks.includes('verbatim')) return false
  return (answer.text.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_LETTERS
}
