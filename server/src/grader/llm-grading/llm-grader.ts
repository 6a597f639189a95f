import { createHash } from 'node:crypto'
import type { LlmSettings } from '@assay/shared/llm-settings.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { classSharedWords } from '../anonymizer/class-shared-words.ts'
import { createMask, hasOcrText, type Mask } from '../anonymizer/mask.ts'
import { regionsInFileOrder } from '../extraction/page-order.ts'
import type { ExtractedSubmission, GradeContext, Grader, SuggestedCriterion, SuggestedGrade } from '../grader.ts'
import type { LlmClient } from '../llm/llm-request.ts'
import { rubricText } from '../rubric/rubric-text.ts'
import { summariseGrade } from '../scoring/grade-summary.ts'
import { levelOf } from '../scoring/score-curve.ts'
import { type TeacherScores, teacherScoresFor, withTeacherScores } from '../scoring/teacher-scores.ts'
import { confidenceOf, needsSecondOpinion } from './checks/cross-check.ts'
import { findEvidence, type LlmJudgement } from './checks/llm-judgement.ts'
import { llmReviewReasons } from './llm-review-reasons.ts'
import { prepareQuestions } from './prepare-questions.ts'
import { PROMPT_VERSION, type PreparedQuestion } from './prompt/grading-prompt.ts'
import { type GradingResult, requestGrading } from './request-grading.ts'
import { completeRubric } from './rubric/complete-rubric.ts'
import { requestSecondOpinion } from './second-opinion.ts'

export interface LlmGraderOptions {
  ask: LlmClient
  /** Lays papers out, judges what can be judged exactly, and is what a model's answers are held against. */
  offline: Grader
  chosen: Pick<LlmSettings, 'pictures' | 'second_opinion' | 'second_model'> & { name: string }
}

/**
 * Grades by asking a model, one question a paper. Holds nothing: make one for each paper, with an `ask` in its name. What was
 * made of a model's answer, and how it is checked: `README.md` beside this file.
 */
export function createLlmGrader({ ask, offline, chosen }: LlmGraderOptions): Grader {
  return {
    name: chosen.name,
    version: PROMPT_VERSION,
    async makeRubric(blank, key, signal) {
      // Runs have the rules make the rubric: whoever comes here wants a model's.
      return completeRubric(ask, await offline.makeRubric(blank, key), blank, key, signal)
    },
    layOut: (rubric, blank, submission) => offline.layOut(rubric, blank, submission),
    async grade(whole, id, everyone, context = {}) {
      const laid = everyone.submissions.find((submission) => submission.id === id)?.laid
      if (!laid) throw new RangeError(`Submission ${id} is not among the class.`)
      const { signal } = context
      const byRules = await offline.grade(whole, id, everyone, context)
      const rubric = regionsInFileOrder(limitTo(whole, context.only), laid.page_order)
      const mask = createMask({
        private_words: context.private_words ?? [],
        name_on_paper: laid.name_on_paper,
        kept: rubricText(whole),
        others: context.others,
        shared: classSharedWords(everyone, id),
        misread: hasOcrText(laid),
      })
      const see = chosen.pictures ? context.picture : undefined
      const asked = await prepareQuestions({ rubric, laid, id, everyone, byRules, context, mask, see })
      const hash = createHash('sha256')
      const first = await requestGrading(ask, asked, { purpose: 'grade', hash, ...(signal ? { signal } : {}) })
      const opinions = judgementsOf(asked, first, laid, byRules, mask)
      const settled = teacherScoresFor(id, context.anchors)
      const open = opinions.filter(({ criterion }) => settled[criterion.id] === undefined)
      const doubtful = open.filter(needsSecondOpinion)
      const again =
        chosen.second_opinion !== 'never' && doubtful.length > 0
          ? await requestSecondOpinion(ask, asked, doubtful, { chosen, hash, ...(signal ? { signal } : {}) })
          : []
      const { standing = [] } = context
      const ofPaper = { rubric, laid, byRules, opinions, open, settled, standing, mask, first }
      return {
        ...suggestedGradeFrom(ofPaper),
        call_ids: [...first.call_ids, ...again],
        prompt_version: PROMPT_VERSION,
        input_hash: hash.digest('hex'),
      }
    },
    // The offline grader is everybody's.
    close: async () => {},
  }
}

const limitTo = (rubric: Rubric, only: GradeContext['only']): Rubric =>
  only ? { ...rubric, questions: rubric.questions.filter((question) => only.has(question.id)) } : rubric

/** What the model said, held against the paper and the rules. */
function judgementsOf(
  asked: readonly PreparedQuestion[],
  { said }: GradingResult,
  laid: ExtractedSubmission,
  byRules: SuggestedGrade,
  mask: Mask,
): LlmJudgement[] {
  return asked.flatMap(({ question, pictures, odd }) =>
    question.criteria.flatMap((criterion): LlmJudgement[] => {
      const one = said.get(criterion.id)
      const answer = laid.answers.find((each) => each.question_id === question.id)
      if (!one || !answer) return []
      const quotes = one.quotes.map((quote) => mask.show(quote))
      return [
        {
          question,
          criterion,
          answer,
          said: { ...one, feedback: mask.show(one.feedback), reasoning: mask.show(one.reasoning), quotes },
          saw: pictures.length > 0,
          ...findEvidence(quotes, answer, question),
          rules: byRules.criteria.find((each) => each.criterion_id === criterion.id) ?? null,
          odd: odd.map((sentence) => mask.show(sentence)),
          second: null,
        },
      ]
    }),
  )
}

interface PaperJudgements {
  rubric: Rubric
  laid: ExtractedSubmission
  byRules: SuggestedGrade
  opinions: LlmJudgement[]
  /** Those the teacher has not decided on. */
  open: LlmJudgement[]
  settled: TeacherScores
  standing: SuggestedCriterion[]
  mask: Mask
  first: GradingResult
}

function suggestedGradeFrom(paper: PaperJudgements): SuggestedGrade {
  const { rubric, byRules, opinions, open, settled, standing, mask, first } = paper
  const criteria = rubric.questions.flatMap((question) =>
    question.criteria.flatMap((criterion): SuggestedCriterion[] => {
      const opinion = opinions.find((one) => one.criterion.id === criterion.id)
      if (opinion) return [suggestedCriterionFrom(opinion)]
      const ofThis = (one: SuggestedCriterion) => one.criterion_id === criterion.id
      // Decided on and not asked about: what was suggested then is still what the AI suggests.
      const before = settled[criterion.id] === undefined ? undefined : standing.find(ofThis)
      const unasked = before ?? byRules.criteria.find(ofThis)
      return unasked ? [{ ...unasked, judged_by: before?.judged_by ?? 'rules' }] : []
    }),
  )
  const counted = withTeacherScores(criteria, settled)
  const most = sum(criteria.map((one) => one.max_score))
  const overall = most > 0 ? (sum(criteria.map((one) => one.score)) / most) * 100 : 0
  const confidence = most > 0 ? sum(criteria.map((one) => one.confidence * one.max_score)) / most : 0
  const found = first.instructions.map(({ question_id, words }) => ({ question_id, words: mask.show(words) }))
  const reasons = llmReviewReasons(rubric, counted, open, found, byRules.reasons)
  const [only, ...more] = first.summaries
  return {
    overall_score: Math.round(overall * 10) / 10,
    criteria,
    confidence: Math.round(confidence * 1000) / 1000,
    // Of a paper asked about in parts no answer knows the whole.
    summary: only !== undefined && more.length === 0 ? mask.show(only) : summariseGrade(rubric.questions, counted),
    needs_review: reasons.length > 0,
    reasons,
  }
}

function suggestedCriterionFrom(one: LlmJudgement): SuggestedCriterion {
  const { criterion, question, said, answer, evidence } = one
  // A model that cannot judge gives nothing away: a person does.
  const score = said.cannot_judge ? 0 : said.points
  return {
    criterion_id: criterion.id,
    question_id: question.id,
    criterion_text: criterion.text,
    score,
    max_score: criterion.points,
    level: levelOf(score / criterion.points),
    feedback: said.feedback,
    reasoning: said.reasoning,
    judged_by: 'model',
    confidence: confidenceOf(one),
    evidence: evidence.length > 0 ? evidence : answer.evidence.slice(0, 4),
  }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
