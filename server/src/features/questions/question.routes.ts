import {
  announceGrading,
  decideAnswers,
  getAnswer,
  getAnswerPicture,
  getQuestion,
  groupAnswersTogether,
  listQuestions,
  undoQuestionChange,
} from '@assay/shared/questions.ts'
import { Router } from 'express'
import { handle, RawReply } from '../../lib/http/handle.ts'
import { REVALIDATED } from '../../lib/http/send-pdf.ts'
import type { Services } from '../../services.ts'
import { requireAssignmentFor } from '../assignments/assignment.policy.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { isGradedByOthers } from '../submissions/submission-grades.ts'
import { findAnswers } from '../transcriptions/answers.service.ts'
import { namesById } from '../users/user.service.ts'
import { type AfterDecision, notifyQuestionChanged } from './after-decision.ts'
import { picturesOf, renderStrip } from './answer-picture.ts'
import { decideQuestion, presentOutcome } from './decide-answers.ts'
import { itemRoutes } from './items/item.routes.ts'
import { markFirst } from './mark-first.ts'
import { Presence } from './presence.ts'
import { presentProgress, presentQuestion, presentUndoable } from './question.present.ts'
import { describeAnswer, namesOfPeople, requireQuestion, secondsPerGroup, showPapers } from './question.service.ts'
import { findQuestionAnswers } from './question-answers.ts'
import { findUndoable, regroup, undo } from './question-changes.ts'

/** `isCarrying` tells whether decisions on a question are still being carried to its other answers. */
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
    // One after another: a large class's answers are not to be in memory for all questions at once.
    for (const question of assignment.rubric?.questions ?? []) {
      const answered = await findQuestionAnswers(assignment, question)
      const graders = presence.others(assignment._id, question.id, actor.id, clock.now())
      progress.push(presentProgress(answered, { secondsPerGroup: seconds, graders }))
    }
    return progress
  })

  handle(router, getQuestion, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const question = requireQuestion(assignment, params.questionId)
    // Asked first: what is carried meanwhile is then either seen here or announced.
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
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return describeAnswer(assignment, requireQuestion(assignment, params.questionId), params.submissionId, services)
  })

  handle(router, getAnswerPicture, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const question = requireQuestion(assignment, params.questionId)
    const submission = await requireSubmission(params)
    const stored = await findAnswers(submission._id)
    const read = stored?.extracted.answers.find(({ question_id }) => question_id === question.id)
    const strips = picturesOf(question, read?.evidence ?? [], submission.page_count)
    const picture = await renderStrip(assignment, submission, strips[params.picture - 1], services)
    return new RawReply((response) => {
      response.type('image/png').set('Cache-Control', REVALIDATED).send(picture)
    })
  })

  handle(router, decideAnswers, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const question = requireQuestion(assignment, params.questionId)
    const outcome = await decideQuestion(assignment, question, body, actor, clock.now())
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, outcome.change_id)
    return presentOutcome(question, outcome)
  })

  handle(router, groupAnswersTogether, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const question = requireQuestion(assignment, params.questionId)
    const change = await regroup(assignment, question, body.submission_ids, actor, clock.now())
    notifyQuestionChanged(assignment, question.id, change.change_id, services)
    return change
  })

  handle(router, undoQuestionChange, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const question = requireQuestion(assignment, params.questionId)
    const outcome = await undo(assignment, question, params.changeId, actor, clock.now())
    if (outcome.changed.length > 0) await afterDecision(assignment, question.id, null)
    const [result, undoable] = await Promise.all([
      presentOutcome(question, outcome),
      findUndoable(assignment._id, question.id, actor.id),
    ])
    return { ...result, undo: undoable && presentUndoable(undoable) }
  })

  handle(router, announceGrading, async ({ params, body, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const question = requireQuestion(assignment, params.questionId)
    const now = clock.now()
    const name = (await namesById([actor.id])).get(actor.id) ?? ''
    const where = { assignmentId: assignment._id, questionId: question.id }
    services.events.emit('grading_announced', { ...where, grader: { id: actor.id, name }, open: body.open })
    return { graders: presence.others(assignment._id, question.id, actor.id, now) }
  })

  router.use(itemRoutes(services, afterDecision))
  return router
}
