import type { Criterion, Rubric } from '@assay/shared/rubrics.ts'
import { POOR_READING } from '../doubt.ts'
import type { Anchor, LaidSubmission, SuggestedCriterion, SuggestedGrade } from '../grader.ts'
import { chooseEvidence } from './choose-evidence.ts'
import { feedbackFor } from './feedback.ts'
import { inverseFrequencies } from './inverse-frequencies.ts'
import { QuestionJudge } from './judge-question.ts'
import { type Judgement, nothing } from './judgement.ts'
import { type Judged, reviewReasons } from './review-reasons.ts'
import { levelOf, roundToStep } from './score-curve.ts'
import { summarise } from './summary.ts'
import { leaningOf } from './teacher-scale.ts'

/** A class's words and nothing else: what has to travel to the worker. Texts are in the rubric's order. */
export interface ClassTexts {
  submissions: { id: number; texts: Record<string, string> }[]
}

/** A class prepared once for a rubric; each submission is then graded on its own. */
export class ClassJudge {
  readonly #rubric: Rubric
  readonly #index: Map<number, number>
  readonly #judges = new Map<string, QuestionJudge>()
  /** By criterion: what counts as the teacher's for which submission. */
  readonly #anchors: Map<string, Anchor[]>

  constructor(rubric: Rubric, everyone: ClassTexts, anchors: Anchor[] = []) {
    this.#rubric = rubric
    this.#anchors = Map.groupBy(anchors, (anchor) => anchor.criterion_id)
    // By id, so that the order papers came in changes nothing.
    const submissions = [...everyone.submissions].sort((a, b) => a.id - b.id)
    this.#index = new Map(submissions.map(({ id }, i) => [id, i]))
    const textsOf = (id: string) => submissions.map(({ texts }) => texts[id] ?? '')
    const idf = inverseFrequencies(
      rubric.questions.map((question) => [
        question.prompt,
        ...question.criteria.map((criterion) => criterion.expected),
        ...textsOf(question.id),
      ]),
    )
    for (const question of rubric.questions) {
      this.#judges.set(question.id, new QuestionJudge(question, textsOf(question.id), idf))
    }
    if (anchors.length > 0) this.#takeDecisions()
  }

  /** The teacher's decisions on some papers are the measure for the others. */
  #takeDecisions(): void {
    const residuals: number[] = []
    for (const question of this.#rubric.questions) {
      for (const criterion of question.criteria) {
        const decided = (this.#anchors.get(criterion.id) ?? []).flatMap(({ submission_id, score }) => {
          const index = this.#index.get(submission_id)
          const share = Math.min(1, Math.max(0, score / criterion.points))
          return index === undefined ? [] : [{ index, share }]
        })
        residuals.push(...(this.#judges.get(question.id)?.takeDecisions(criterion, decided) ?? []))
      }
    }
    const leaning = leaningOf(residuals)
    for (const judge of this.#judges.values()) judge.leanBy(leaning)
  }

  grade(id: number, laid: LaidSubmission): SuggestedGrade {
    const index = this.#index.get(id)
    if (index === undefined) throw new RangeError(`Submission ${id} is not among the class.`)
    const judged: Judged[] = []
    for (const question of this.#rubric.questions) {
      for (const criterion of question.criteria)
        judged.push(this.#judge(question.id, criterion, id, index, laid))
    }
    const criteria = judged.map(({ suggestion }) => suggestion)
    const most = sum(criteria.map((one) => one.max_score))
    const overall = most > 0 ? (sum(criteria.map((one) => one.score)) / most) * 100 : 0
    const confidence = most > 0 ? sum(criteria.map((one) => one.confidence * one.max_score)) / most : 0
    const others = Math.max(0, this.#index.size - 1)
    const reasons = reviewReasons(this.#rubric, laid, judged, others)
    return {
      overall_score: Math.round(overall * 10) / 10,
      criteria,
      confidence: Math.round(confidence * 1000) / 1000,
      summary: summarise(this.#rubric.questions, criteria, overall),
      needs_review: reasons.length > 0,
      reasons,
    }
  }

  #judge(questionId: string, criterion: Criterion, id: number, index: number, laid: LaidSubmission): Judged {
    const question = this.#rubric.questions.find((one) => one.id === questionId)
    const judge = this.#judges.get(questionId)
    if (!question || !judge) throw new RangeError(`Question ${questionId} is not in the rubric.`)
    const answer = laid.answers.find((one) => one.question_id === questionId) ?? {
      question_id: questionId,
      text: '',
      found: false,
      evidence: [],
      reading: 1,
    }
    const own = this.#anchors.get(criterion.id)?.find((anchor) => anchor.submission_id === id)
    const decided = own && !own.approved ? Math.min(own.score, criterion.points) : undefined
    const judgement = this.#judgementOf(judge, criterion, index, answer.found, decided)
    const score = decided ?? roundToStep(judgement.share, criterion.points)
    const earned = criterion.points > 0 ? score / criterion.points : 0
    // What was misread may have been right: a poor reading takes its share of the confidence.
    const reading = answer.reading < POOR_READING && decided === undefined ? answer.reading : 1
    const suggestion: SuggestedCriterion = {
      criterion_id: criterion.id,
      question_id: questionId,
      criterion_text: criterion.text,
      score,
      max_score: criterion.points,
      level: levelOf(earned),
      feedback: feedbackFor(question, criterion, answer, judgement, earned),
      confidence: Math.round(judgement.confidence * reading * 1000) / 1000,
      evidence: chooseEvidence(answer.evidence, judgement.matched),
    }
    return { suggestion, judgement }
  }

  #judgementOf(
    judge: QuestionJudge,
    criterion: Criterion,
    index: number,
    found: boolean,
    decided: number | undefined,
  ): Judgement {
    const ours = found || judge.isBeyondUs ? judge.judge(index, criterion) : nothing('empty', 0)
    if (decided === undefined) return ours
    // The teacher has seen this very paper: nothing is left to suggest.
    return { ...ours, share: decided / criterion.points, confidence: 1, remarks: ['as_decided'] }
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
