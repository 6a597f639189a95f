import type { CriterionGrade } from '@assay/shared/grades.ts'
import type { Question } from '@assay/shared/rubrics.ts'
import { answerState } from '../../../grader/extraction/answer-state.ts'
import type { ClassAnswers, ExtractedSubmission, SuggestedCriterion, SuggestedGrade } from '../../../grader/grader.ts'
import { normalFormOf } from '../../../grader/grouping/normal-form.ts'
import { combineGrade } from '../../../grader/scoring/combine-grade.ts'
import { levelOf } from '../../../grader/scoring/score-curve.ts'
import { batchesOf } from '../../../lib/batches.ts'
import { DeferJob } from '../../../lib/jobs/job.ts'
import { hashOf } from '../../../lib/security/hash-of.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import type { PointsByCriterion } from '../../../records/grading/question-change.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { findAnchors } from '../../grades/decide-criteria.ts'
import {
  findCriterionGrades,
  findGradeDetails,
  hashInputs,
  storeRescored,
  toCurrentGrade,
} from '../../grades/grade.service.ts'
import { buildGradeContext, classForSubmission, selectGrader } from '../../runs/context/grade-context.ts'
import { findRun } from '../../runs/run.service.ts'
import type { GradingPool } from '../../runs/steps/run-steps.ts'
import { notifySubmissionChanged } from '../../submissions/submission.events.ts'
import { findAllGraded, findGradedBy, isGradedByOthers } from '../../submissions/submission-grades.ts'
import { hasGrade } from '../../submissions/submission-grading.ts'
import { findAllAnswers, findAnswers } from '../../transcriptions/answers.service.ts'
import { withCorrections } from '../../transcriptions/transcription.service.ts'
import { gradeQuestionAgain } from './score-question.ts'

const LEAST_CONFIDENCE_CHANGE = 0.02

/** An LLM's suggestions take over points for identical answers only. Returns how many papers changed. */
export async function carryDecisions(
  assignment: AssignmentDoc,
  questionId: string,
  services: Services,
  signal: AbortSignal,
): Promise<number> {
  const { rubric, rubric_version } = assignment
  const question = rubric?.questions.find(({ id }) => id === questionId)
  if (!rubric || !question) return 0
  const { grader, clock } = services
  const anchors = await findAnchors(assignment)
  const only = new Set([questionId])
  let changed = 0
  for await (const submission of findGradedBy(assignment._id, grader.name, rubric_version)) {
    signal.throwIfAborted()
    if (!mayChange(submission, question)) continue
    const found = await gradeQuestionAgain(submission, rubric, { anchors, only }, services, signal)
    const criteria = submission.grade && (await findCriterionGrades(submission.grade.id))
    if (!found || !submission.grade || !criteria || !isMoved(criteria, found.grade.criteria, only)) continue
    const made = { classKey: found.classKey, grader, inputs: found.inputs }
    const stored = await storeRescored(submission, made, clock.now(), async (grade) => {
      // The grade changed meanwhile, so this result is void.
      if (grade.id !== submission.grade?.id || !mayChange({ grade }, question)) throw new SupersededError()
      const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
      return combineGrade(rubric, current, found.grade, only, grade.decisions)
    }).catch(unlessSuperseded)
    if (!stored) continue
    changed += 1
    await notifySubmissionChanged(stored, services)
  }
  return changed + (await carryToSameAnswers(assignment, question, services, signal))
}

function isMoved(
  before: readonly Pick<SuggestedCriterion, 'criterion_id' | 'question_id' | 'score' | 'confidence'>[],
  after: SuggestedGrade['criteria'],
  only: ReadonlySet<string>,
): boolean {
  const known = new Map(before.map((criterion) => [criterion.criterion_id, criterion]))
  return after.some(({ criterion_id, question_id, score, confidence }) => {
    if (!only.has(question_id)) return false
    const was = known.get(criterion_id)
    return was?.score !== score || Math.abs(was.confidence - confidence) >= LEAST_CONFIDENCE_CHANGE
  })
}

const BATCH = 200
/** For points that a person gave the very same answer. */
const CARRIED_CONFIDENCE = 0.97

const CARRIED_REASONING = 'The points a person gave the same answer on another paper.'

/** Not where people gave equal answers other points. The LLM's own suggestion comes back when points are withdrawn. */
async function carryToSameAnswers(
  assignment: AssignmentDoc,
  question: Question,
  services: Services,
  signal: AbortSignal,
): Promise<number> {
  const { grader } = services
  if (!(await isGradedByOthers(assignment._id, grader.name))) return 0
  const decided = new Map<number, PointsByCriterion>()
  const open: SubmissionDoc[] = []
  for await (const submission of findAllGraded(assignment._id)) {
    const { grade } = submission
    if (!grade || grade.rubric_version !== assignment.rubric_version) continue
    const points = pointsFor(question, grade.decisions)
    if (points) decided.set(submission._id, points)
    else if (grade.grader.name !== grader.name && mayChange(submission, question)) open.push(submission)
  }
  const forms = await formsOf(question, [...decided.keys(), ...open.map(({ _id }) => _id)])
  const pointsOf = agreedPoints(decided, forms)
  let changed = 0
  for (const submission of open) {
    signal.throwIfAborted()
    const given = pointsOf.get(forms.get(submission._id) ?? '') ?? null
    const stored = await storeCarried(assignment, submission, question, given, services)
    if (!stored) continue
    changed += 1
    await notifySubmissionChanged(stored, services)
  }
  return changed
}

function pointsFor({ criteria }: Question, decisions: PointsByCriterion | undefined): PointsByCriterion | null {
  const given = criteria.flatMap(({ id }) => {
    const points = decisions?.[id]
    return points === undefined ? [] : [[id, points] as const]
  })
  return given.length === criteria.length ? Object.fromEntries(given) : null
}

/** Normalized, so that answers with the same content are equal; only those that could be read. */
async function formsOf(question: Question, submissionIds: number[]): Promise<Map<number, string>> {
  const normalForm = normalFormOf(question)
  const forms = new Map<number, string>()
  for (const ids of batchesOf(submissionIds, BATCH))
    for (const { _id, extracted } of await findAllAnswers(ids)) {
      const answer = extracted.answers.find(({ question_id }) => question_id === question.id)
      if (answer && answerState(answer) === 'read') forms.set(_id, normalForm(answer.text))
    }
  return forms
}

function agreedPoints(decided: ReadonlyMap<number, PointsByCriterion>, forms: ReadonlyMap<number, string>) {
  const agreed = new Map<string, PointsByCriterion>()
  const disputed = new Set<string>()
  for (const [id, points] of decided) {
    const form = forms.get(id)
    if (form === undefined) continue
    const other = agreed.get(form)
    if (other && Object.entries(points).some(([criterion, score]) => other[criterion] !== score)) disputed.add(form)
    agreed.set(form, points)
  }
  for (const form of disputed) agreed.delete(form)
  return agreed
}

async function storeCarried(
  { rubric }: AssignmentDoc,
  submission: SubmissionDoc,
  question: Question,
  given: PointsByCriterion | null,
  { clock }: Pick<Services, 'clock'>,
): Promise<SubmissionDoc | null> {
  const before = submission.grade
  const criteria = before && (await findCriterionGrades(before.id))
  if (!rubric || !criteria) return null
  const next = criteria.map((criterion) =>
    criterion.question_id === question.id ? withCarried(criterion, given?.[criterion.criterion_id]) : criterion,
  )
  if (next.every((criterion, i) => criterion === criteria[i])) return null
  const made = (await findGradeDetails(submission._id)).find(({ _id }) => _id === before.id)?.made
  if (!made) return null
  const { grader, inputs } = made
  const provenance = { classKey: before.class_key, grader, inputs }
  return await storeRescored(submission, provenance, clock.now(), async (grade) => {
    if (grade.id !== before.id || !mayChange({ grade }, question)) throw new SupersededError()
    const current = toCurrentGrade(grade, criteria)
    const { overall_score, confidence } = grade
    const whole = { ...current, overall_score, confidence, needs_review: grade.needs_review }
    const fresh = { ...whole, criteria: toCurrentGrade(grade, next).criteria }
    return combineGrade(rubric, current, fresh, new Set([question.id]), grade.decisions)
  }).catch(unlessSuperseded)
}

function withCarried(criterion: CriterionGrade, points: number | undefined): CriterionGrade {
  const { own_suggestion: own, unscored_reason: _, reasoning: __, ...rest } = criterion
  if (points === undefined) return own ? { ...rest, ...own } : criterion
  if (points > criterion.max_score || (own && criterion.score === points)) return criterion
  const { score, llm_performance_level, llm_feedback, confidence, unscored_reason, reasoning } = own ?? criterion
  return {
    ...rest,
    score: points,
    llm_performance_level: levelOf(points / criterion.max_score),
    // The feedback was about other points.
    llm_feedback: points === score ? llm_feedback : '',
    confidence: CARRIED_CONFIDENCE,
    reasoning: CARRIED_REASONING,
    own_suggestion: {
      score,
      llm_performance_level,
      llm_feedback,
      confidence,
      ...(unscored_reason ? { unscored_reason } : {}),
      ...(reasoning ? { reasoning } : {}),
    },
  }
}

function mayChange({ grade }: Pick<SubmissionDoc, 'grade'>, { criteria }: Question): boolean {
  if (!grade || grade.reviewed_at !== null || grade.released) return false
  if (grade.manual_score_override !== null && !grade.override_from_points) return false
  return criteria.some(({ id }) => grade.decisions?.[id] === undefined)
}

export class CannotRescoreError extends Error {
  override name = 'CannotScore'
}

export class SupersededError extends Error {
  override name = 'Superseded'
}

function unlessSuperseded(error: unknown): null {
  if (error instanceof SupersededError) return null
  throw error
}

const RUBRIC_CHANGED =
  'The rubric has changed since this paper was graded. Grade the paper again to apply your correction.'

/** In ms, for a paper that a run has taken up meanwhile. */
const GRADING_RETRY_MS = 2_000

/**
 * Against the class the paper was graded with. `isWanted` is asked last. Returns another pool to do this in, or null.
 * @throws {CannotRescoreError} when the whole paper has to be graded again; {LlmError}; {SupersededError} when it is
 * no longer wanted; {DeferJob} when a run has taken the paper up
 */
export async function rescoreAnswer(
  submission: SubmissionDoc,
  questionId: string,
  pool: GradingPool,
  services: Services,
  signal: AbortSignal,
  isWanted: () => Promise<boolean>,
): Promise<GradingPool | null> {
  const assignment = await findAssignment(submission.assignment_id)
  const run = submission.grade && (await findRun(submission.grade.run_id))
  const answers = await findAnswers(submission._id)
  if (!assignment?.rubric || !run?.class_key || !answers)
    throw new CannotRescoreError('Grade the whole paper again: the data it was graded with is no longer available.')
  const { rubric, rubric_version } = assignment
  if (submission.grade?.rubric_version !== rubric_version) throw new CannotRescoreError(RUBRIC_CHANGED)
  const by = await selectGrader(assignment, run, submission, services)
  if (by.pool !== pool) return by.pool
  const only = new Set([questionId])
  // Of two corrections at once, one may be missing from the stored answers.
  const { extracted } = await withCorrections(submission, answers.as_read ?? answers.extracted)
  const everyone = withCorrectedAnswers(await classForSubmission(run, submission._id), submission._id, extracted)
  const context = await buildGradeContext(run, assignment, submission, services, signal)
  const fresh = await by.grader.grade(rubric, submission._id, everyone, { ...context, only })
  signal.throwIfAborted()
  const inputs = hashInputs({ submission, rubric, extracted })
  const made = { classKey: everyone.key, grader: by.grader, inputs }
  const stored = await storeRescored(submission, made, services.clock.now(), async (grade) => {
    // Meanwhile the answer may be corrected again, or graded by another rubric.
    if (!(await isWanted())) throw new SupersededError()
    if (grade.rubric_version !== rubric_version) throw new CannotRescoreError(RUBRIC_CHANGED)
    const current = toCurrentGrade(grade, (await findCriterionGrades(grade.id)) ?? [])
    return combineGrade(rubric, current, fresh, only, grade.decisions)
  })
  if (stored) await notifySubmissionChanged(stored, services)
  else if (await hasGrade(submission._id)) throw new DeferJob(GRADING_RETRY_MS, 'the paper is being graded')
  return null
}

/** A class of its own, as callers cache by key. */
function withCorrectedAnswers(everyone: ClassAnswers, id: number, extracted: ExtractedSubmission): ClassAnswers {
  const texts = JSON.stringify(extracted.answers.map(({ text }) => text))
  const hash = hashOf(texts).slice(0, 16)
  return {
    key: `${everyone.key}~${id}/${hash}`,
    submissions: everyone.submissions.map((one) => (one.id === id ? { id, extracted } : one)),
  }
}
