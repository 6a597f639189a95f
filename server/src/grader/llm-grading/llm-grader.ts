import { createHash } from 'node:crypto'
import type { LlmSettings } from '@assay/shared/llm/llm-settings.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { classSharedWords, createMask, hasOcrText, type Mask } from '../anonymizer/mask.ts'
import { regionsInFileOrder } from '../extraction/pages/page-order.ts'
import { regionsToGrade } from '../extraction/regions-to-grade.ts'
import type { ExtractedSubmission, GradeContext, Grader, SuggestedCriterion, SuggestedGrade } from '../grader.ts'
import type { LlmClient } from '../llm/llm-request.ts'
import { rubricText } from '../rubric/rubric-text.ts'
import { summariseGrade } from '../scoring/grade-summary.ts'
import { gradeFrom, mostUntried } from '../scoring/low-confidence.ts'
import { levelOf } from '../scoring/score-curve.ts'
import { type TeacherScores, teacherScoresFor, withTeacherScores } from '../scoring/teacher-scores.ts'
import { confidenceOf, findEvidence, type LlmJudgement, needsSecondOpinion } from './checks/cross-check.ts'
import { unquotedOutliers, withoutSentences } from './checks/outlier-sentences.ts'
import { llmReviewReasons } from './llm-review-reasons.ts'
import { prepareQuestions } from './prepare-questions.ts'
import {
  batchQuestions,
  type CriterionResponse,
  checkGradingResponse,
  GRADING_SYSTEM_PROMPT,
  GradingResponse,
  gradingPromptParts,
  PROMPT_VERSION,
  type PreparedQuestion,
} from './prompt/grading-prompt.ts'
import { completeRubric, type RubricRequestOptions } from './rubric/complete-rubric.ts'

export interface LlmGraderOptions {
  llm: LlmClient
  offline: Grader
  settings: Pick<LlmSettings, 'pictures' | 'second_opinion' | 'second_model'> & { name: string }
  /** Absent where the LLM may not see pages. */
  rubricPictures?: RubricRequestOptions['pictures']
}

/** Made for each paper, with that paper's client. `README.md` says how responses are checked. */
export function createLlmGrader({ llm, offline, settings, rubricPictures }: LlmGraderOptions): Grader {
  return {
    name: settings.name,
    version: PROMPT_VERSION,
    async generateRubric(blank, key, signal) {
      // Callers that want the rules' rubric use the offline grader.
      return completeRubric(llm, await offline.generateRubric(blank, key), blank, key, {
        pictures: rubricPictures,
        signal,
      })
    },
    extractAnswers: (rubric, blank, submission) => offline.extractAnswers(rubric, blank, submission),
    async grade(whole, id, everyone, context = {}) {
      const extracted = everyone.submissions.find((submission) => submission.id === id)?.extracted
      if (!extracted) throw new RangeError(`Submission ${id} is not among the class.`)
      const { signal } = context
      const byRules = await offline.grade(whole, id, everyone, context)
      const rubric = regionsInFileOrder(limitTo(whole, context.only), extracted.page_order)
      const mask = createMask({
        private_words: context.private_words ?? [],
        name_on_paper: extracted.name_on_paper,
        publicText: rubricText(whole),
        otherNames: context.others,
        isSharedWord: classSharedWords(everyone, id),
        ocr: hasOcrText(extracted),
      })
      const prepared = await prepareQuestions({
        rubric,
        questions: whole.questions,
        extracted,
        id,
        everyone,
        byRules,
        context,
        mask,
        pagePicture: settings.pictures ? context.pagePicture : undefined,
      })
      const hash = createHash('sha256')
      const response = await requestGrading(llm, prepared, { purpose: 'grade', hash, signal })
      const asked = prepared.map((one) => withUnexplainedOutliers(one, response))
      const judgements = judgementsOf(asked, response, extracted, byRules, mask)
      const teacherScores = teacherScoresFor(id, context.anchors)
      const undecided = judgements.filter(({ criterion }) => teacherScores[criterion.id] === undefined)
      const uncertain = undecided.filter(needsSecondOpinion)
      const again =
        settings.second_opinion !== 'never' && uncertain.length > 0
          ? await requestSecondOpinion(llm, asked, uncertain, { settings, hash, signal })
          : []
      const { previousCriteria = [] } = context
      return {
        ...suggestedGradeFrom({
          rubric,
          byRules,
          judgements,
          undecided,
          teacherScores,
          decided: new Set(context.anchors?.map(({ criterion_id }) => criterion_id)),
          previousCriteria,
          mask,
          response,
        }),
        call_ids: [...response.call_ids, ...again],
        prompt_version: PROMPT_VERSION,
        input_hash: hash.digest('hex'),
      }
    },
    // The offline grader is shared.
    close: async () => {},
  }
}

const limitTo = (rubric: Rubric, only: GradeContext['only']): Rubric =>
  only ? { ...rubric, questions: rubric.questions.filter((question) => only.has(question.id)) } : rubric

/** Without outlier sentences that the points rest on. */
function withUnexplainedOutliers(one: PreparedQuestion, { responses }: GradingResult): PreparedQuestion {
  const given = one.question.criteria.flatMap(({ id }) => responses.get(id) ?? [])
  const restOn = given.flatMap(({ points, quotes }) => (points > 0 ? quotes : []))
  return { ...one, outlierSentences: unquotedOutliers(one.outlierSentences, restOn) }
}

function judgementsOf(
  asked: readonly PreparedQuestion[],
  { responses }: GradingResult,
  extracted: ExtractedSubmission,
  byRules: SuggestedGrade,
  mask: Mask,
): LlmJudgement[] {
  return asked.flatMap(({ question, pictures, outlierSentences }) =>
    question.criteria.flatMap((criterion): LlmJudgement[] => {
      const one = responses.get(criterion.id)
      const answer = extracted.answers.find((each) => each.question_id === question.id)
      if (!one || !answer) return []
      const quotes = one.quotes.map((quote) => mask.reveal(quote))
      return [
        {
          question,
          criterion,
          answer,
          response: { ...one, feedback: mask.reveal(one.feedback), reasoning: mask.reveal(one.reasoning), quotes },
          sawPage: pictures.length > 0,
          ...findEvidence(quotes, answer, question),
          ruleScore: byRules.criteria.find((each) => each.criterion_id === criterion.id) ?? null,
          outlierSentences: outlierSentences.map((one) => ({ ...one, text: mask.reveal(one.text) })),
          secondOpinion: null,
        },
      ]
    }),
  )
}

interface PaperJudgements {
  rubric: Rubric
  byRules: SuggestedGrade
  judgements: LlmJudgement[]
  undecided: LlmJudgement[]
  teacherScores: TeacherScores
  /** Criteria with decisions on any paper. */
  decided: ReadonlySet<string>
  previousCriteria: SuggestedCriterion[]
  mask: Mask
  response: GradingResult
}

function suggestedGradeFrom(paper: PaperJudgements): SuggestedGrade {
  const { rubric, byRules, judgements, undecided, teacherScores, decided, previousCriteria, mask, response } = paper
  const criteria = rubric.questions.flatMap((question) =>
    question.criteria.flatMap((criterion): SuggestedCriterion[] => {
      const judgement = judgements.find((one) => one.criterion.id === criterion.id)
      if (judgement) return [suggestedCriterionFrom(judgement, decided.has(criterion.id))]
      const ofThis = (one: SuggestedCriterion) => one.criterion_id === criterion.id
      // A decided criterion that was not requested again keeps the earlier suggestion.
      const before = teacherScores[criterion.id] === undefined ? undefined : previousCriteria.find(ofThis)
      const unasked = before ?? byRules.criteria.find(ofThis)
      return unasked ? [{ ...unasked, judged_by: before?.judged_by ?? 'rules' }] : []
    }),
  )
  const counted = withTeacherScores(criteria, teacherScores)
  const found = response.instructions.map(({ question_id, words }) => ({ question_id, words: mask.reveal(words) }))
  const reasons = llmReviewReasons(rubric, criteria, undecided, found, byRules.reasons)
  const [only, ...more] = response.summaries
  // With several requests no response covers the whole paper, and none knows a person's points.
  const summary =
    only !== undefined && more.length === 0 && counted.every(({ score }, i) => score === criteria[i]?.score)
      ? mask.reveal(only)
      : summariseGrade(rubric.questions, counted)
  return gradeFrom(criteria, reasons, summary)
}

function suggestedCriterionFrom(one: LlmJudgement, isDecided: boolean): SuggestedCriterion {
  const { criterion, question, response, answer, evidence } = one
  const judged = response.cannot_judge
    ? {
        score: null,
        unscored_reason: 'cannot_judge' as const,
        level: null,
        feedback: '',
        evidence: regionsToGrade(question, answer),
      }
    : {
        score: roundPoints(response.points),
        level: levelOf(response.points / criterion.points),
        feedback: response.feedback,
        evidence: evidence.length > 0 ? evidence : answer.evidence.slice(0, 4),
      }
  return {
    criterion_id: criterion.id,
    question_id: question.id,
    criterion_text: criterion.text,
    max_score: criterion.points,
    ...(question.bonus ? { bonus: question.bonus } : {}),
    ...judged,
    reasoning: response.reasoning,
    judged_by: 'model',
    confidence: Math.min(confidenceOf(one), isDecided ? 1 : mostUntried(question)),
  }
}

/** Asks another LLM if set, else in another order and without unrelated sentences; the first judgement stays. */
async function requestSecondOpinion(
  llm: LlmClient,
  prepared: readonly PreparedQuestion[],
  uncertain: LlmJudgement[],
  { settings, ...rest }: Pick<LlmGraderOptions, 'settings'> & Pick<GradingRequestOptions, 'hash' | 'signal'>,
): Promise<number[]> {
  const ids = new Set(uncertain.map(({ question }) => question.id))
  const other = settings.second_opinion === 'other' && settings.second_model ? { model: settings.second_model } : {}
  const questions = prepared
    .filter(({ question }) => ids.has(question.id))
    .map((one): PreparedQuestion => {
      const rest = withoutSentences(one.text, one.outlierSentences)
      return {
        ...one,
        question: { ...one.question, criteria: one.question.criteria.toReversed() },
        text: rest === '' ? one.text : rest,
      }
    })
    .reverse()
  const asked = { purpose: 'second_opinion' as const, ...rest, ...other }
  const { responses, call_ids } = await requestGrading(llm, questions, asked)
  for (const one of uncertain) one.secondOpinion = responses.get(one.criterion.id) ?? null
  return call_ids
}

/** Unused tokens cost nothing. */
const REASONING_TOKENS = 3000
const TOKENS_PER_CRITERION = 400

interface GradingResult {
  responses: Map<string, CriterionResponse>
  instructions: { question_id: string; words: string }[]
  summaries: string[]
  call_ids: number[]
}

interface GradingRequestOptions {
  purpose: 'grade' | 'second_opinion'
  model?: string
  signal: AbortSignal | undefined
  hash: ReturnType<typeof createHash>
}

/** Batches run one by one: after a failure nothing more should be paid for. @throws {LlmError} */
async function requestGrading(
  llm: LlmClient,
  asked: readonly PreparedQuestion[],
  { purpose, model, signal, hash }: GradingRequestOptions,
): Promise<GradingResult> {
  const graded: GradingResult = { responses: new Map(), instructions: [], summaries: [], call_ids: [] }
  for (const batch of batchQuestions(asked)) {
    signal?.throwIfAborted()
    const criteria = batch.flatMap(({ question }) => question.criteria)
    const parts = gradingPromptParts(batch)
    hash.update(GRADING_SYSTEM_PROMPT)
    for (const part of parts) hash.update('text' in part ? part.text : part.picture.bytes)
    const { value, call_id } = await llm(
      {
        purpose,
        prompt_version: PROMPT_VERSION,
        system: GRADING_SYSTEM_PROMPT,
        parts,
        schema_name: 'grading',
        schema: GradingResponse,
        check: (value) => checkGradingResponse(value, criteria),
        most_tokens: REASONING_TOKENS + TOKENS_PER_CRITERION * criteria.length,
        ...(model ? { model } : {}),
      },
      signal,
    )
    for (const one of value.criteria) graded.responses.set(one.criterion_id, one)
    graded.instructions.push(...value.instructions_found)
    graded.summaries.push(value.summary)
    graded.call_ids.push(call_id)
  }
  return graded
}
