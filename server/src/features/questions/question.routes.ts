import {
  type ActiveGrader,
  announceGrading,
  decideAnswers,
  getAnswer,
  getAnswerPicture,
  getQuestion,
  groupAnswersTogether,
  listQuestions,
  type QuestionToGrade,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { questionPoints } from '@assay/shared/rules/edited-rubric.ts'
import { roundPoints } from '@assay/shared/rules/points.ts'
import { Router } from 'express'
import {
  type MarkableAnswer,
  meanExpectedError,
  NEXT_TO_MARK,
  selectAnswersToMark,
  textSimilarity,
} from '../../grader/selection/select-answers-to-mark.ts'
import { handle } from '../../lib/http/handle.ts'
import { pictureToShow } from '../../lib/http/made-file.ts'
import { REVALIDATED } from '../../lib/http/send-pdf.ts'
import { mean } from '../../lib/numbers.ts'
import { hashOf } from '../../lib/security/hash-of.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { isGradedByOthers } from '../submissions/submission-grades.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'
import { namesById } from '../users/user.service.ts'
import { type AfterDecision, notifyQuestionChanged } from './projection-job.ts'
import {
  type AnsweredQuestion,
  findQuestionAnswers,
  presentProgress,
  presentQuestion,
  presentUndoable,
  suggestedShare,
} from './question.present.ts'
import {
  decideQuestion,
  describeAnswer,
  namesOfPeople,
  picturesOf,
  presentOutcome,
  renderStrip,
  requireQuestionFor,
  secondsPerGroup,
  showPapers,
} from './question.service.ts'
import { findUndoable, regroup, undo } from './question-changes.ts'
import { itemRoutes } from './rubric-items/rubric-item.routes.ts'

export function questionRoutes(
  services: Services,
  afterDecision: AfterDecision,
  isCarrying: (assignmentId: number, questionId: string) => Promise<boolean>,
): Router {
  const { clock } = services
  const router = Router()
  const presence = new Presence(services)

  handle(router, listQuestions, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const seconds = await secondsPerGroup(assignment._id)
    const progress = []
    // In turn, so that not all questions' answers are in memory at once.
    for (const question of assignment.rubric?.questions ?? []) {
      const answered = await findQuestionAnswers(assignment, question)
      const graders = presence.others(assignment._id, question.id, actor.id, clock.now())
      progress.push(presentProgress(answered, { secondsPerGroup: seconds, graders }))
    }
    return progress
  })

  handle(router, getQuestion, async ({ params, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    // First, so that what is carried meanwhile is either seen here or announced.
    const learning = await isCarrying(assignment._id, question.id)
    const answered = await findQuestionAnswers(assignment, question)
    const [papers, people, undoable, byOthers] = await Promise.all([
      showPapers(assignment, answered.answers, services),
      namesOfPeople(answered.answers),
      findUndoable(assignment._id, question.id, actor.id),
      isGradedByOthers(assignment._id, services.grader.name),
    ])
    const learns_from = byOthers ? 'same' : 'like'
    const graders = presence.others(assignment._id, question.id, actor.id, clock.now())
    const more = { ...markFirst(answered, learns_from), learns_from, learning, graders } as const
    return presentQuestion(answered, more, { papers, people, undoable })
  })

  handle(router, getAnswer, async ({ params, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    return describeAnswer(assignment, question, params.submissionId, services)
  })

  handle(router, getAnswerPicture, async ({ params, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const submission = await requireSubmission(params)
    const stored = await findAnswers(submission._id)
    const read = stored?.extracted.answers.find(({ question_id }) => question_id === question.id)
    const strips = picturesOf(question, read?.evidence ?? [], submission.page_count)
    const picture = await renderStrip(assignment, submission, strips[params.picture - 1], services)
    return pictureToShow(picture, 'image/png', REVALIDATED)
  })

  handle(router, decideAnswers, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const outcome = await decideQuestion(assignment, question, body, actor, clock.now())
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, outcome.change_id)
    return presentOutcome(question, outcome)
  })

  handle(router, groupAnswersTogether, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const change = await regroup(assignment, question, body.submission_ids, actor, clock.now())
    notifyQuestionChanged(assignment, question.id, change.change_id, services)
    return change
  })

  handle(router, undoQuestionChange, async ({ params, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const outcome = await undo(assignment, question, params.changeId, actor, clock.now())
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, null)
    const [result, undoable] = await Promise.all([
      presentOutcome(question, outcome),
      findUndoable(assignment._id, question.id, actor.id),
    ])
    return { ...result, undo: undoable && presentUndoable(undoable) }
  })

  handle(router, announceGrading, async ({ params, body, actor }) => {
    const { assignment, question } = await requireQuestionFor(actor, params)
    const now = clock.now()
    const name = (await namesById([actor.id])).get(actor.id) ?? ''
    const where = { assignmentId: assignment._id, questionId: question.id }
    services.events.emit('grading_announced', { ...where, grader: { id: actor.id, name }, open: body.open })
    return { graders: presence.others(assignment._id, question.id, actor.id, now) }
  })

  router.use(itemRoutes(services, afterDecision))
  return router
}

/** In ms since somebody's last message: browsers repeat it every 20 s. */
const PRESENT_MS = 45_000

interface Present {
  grader: ActiveGrader
  seen: number
}

/** In all processes, in memory: a restart forgets it, and browsers send it again. */
class Presence {
  readonly #byQuestion = new Map<string, Map<number, Present>>()

  constructor({ events, clock }: Pick<Services, 'events' | 'clock'>) {
    events.onAny('grading_announced', ({ assignmentId, questionId, grader, open }) => {
      const key = `${assignmentId}/${questionId}`
      const present = this.#byQuestion.get(key) ?? new Map<number, Present>()
      if (open) this.#byQuestion.set(key, present.set(grader.id, { grader, seen: clock.now().getTime() }))
      else present.delete(grader.id)
    })
  }

  others(assignmentId: number, questionId: string, except: number, now: Date): ActiveGrader[] {
    const key = `${assignmentId}/${questionId}`
    const present = this.#byQuestion.get(key)
    if (!present) return []
    for (const [id, { seen }] of present) if (now.getTime() - seen > PRESENT_MS) present.delete(id)
    if (present.size === 0) this.#byQuestion.delete(key)
    return [...present.values()]
      .map(({ grader }) => grader)
      .filter(({ id }) => id !== except)
      .sort((a, b) => a.name.localeCompare(b.name))
  }
}

/** Of the error expected of the other answers. */
const LEAST_REDUCTION = 0.01
/** Of the points: below it there is nothing left to reduce. */
const SMALL_ERROR = 0.04

/** `by`: whether decisions help similar answers, or only those with the same words. */
function markFirst(answered: AnsweredQuestion, by: QuestionToGrade['learns_from']) {
  const { question, answers, groups } = answered
  const open = answers.filter(({ complete }) => !complete)
  if (open.length === 0) return { mark_first: [], expected_error: null }
  const variants = groups.flatMap(({ variants }) => variants)
  const byId = new Map(answers.map((answer) => [answer.submission_id, answer]))
  const markable = variants.map(({ ids }): MarkableAnswer => {
    const all = ids.flatMap((id) => byId.get(id) ?? [])
    const shares = all.map((answer) => suggestedShare(answer)).filter((share) => share !== null)
    const errors = all.map((answer) => 1 - Math.min(1, ...answer.criteria.map(({ confidence }) => confidence)))
    return {
      share: shares.length === 0 ? 0.5 : mean(shares),
      error: shares.length === 0 ? 1 : mean(errors),
      count: all.length,
      comparable: question.kind === 'text' && by === 'like',
      decided: all.every(({ complete }) => complete),
    }
  })
  const expected = meanExpectedError(markable)
  // One decision covers all answers with the same words.
  const known = new Set(answers.flatMap(({ complete, submission_id }) => (complete ? [submission_id] : [])))
  const toChoose = markable.map((one, i) => ({
    ...one,
    decided: variants[i]?.ids.some((id) => known.has(id)) ?? false,
  }))
  // A decision on an answer judged by rule reduces no other's error.
  const isReducible = question.kind === 'text' && (known.size === 0 || expected >= SMALL_ERROR)
  return {
    mark_first: isReducible ? chosenFor(groups, toChoose).flatMap((place) => variants[place]?.ids[0] ?? []) : [],
    expected_error: roundPoints(questionPoints(question) * expected),
  }
}

/** In a large class choosing takes a quarter of a second. */
const chosenByGroups = new WeakMap<
  AnsweredQuestion['groups'],
  { similarity: ReturnType<typeof textSimilarity>; key: string; chosen: number[] }
>()

function chosenFor(groups: AnsweredQuestion['groups'], markable: MarkableAnswer[]): number[] {
  const key = hashOf(JSON.stringify(markable))
  const known = chosenByGroups.get(groups)
  if (known?.key === key) return known.chosen
  const similarity =
    known?.similarity ?? textSimilarity(groups.flatMap(({ variants }) => variants).map(({ text }) => text))
  const options = markable.some(({ decided }) => decided)
    ? { count: NEXT_TO_MARK, leastReduction: LEAST_REDUCTION }
    : {}
  const chosen = selectAnswersToMark(markable, similarity, options)
  chosenByGroups.set(groups, { similarity, key, chosen })
  return chosen
}
