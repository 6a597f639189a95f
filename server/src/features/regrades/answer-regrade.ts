import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { answerRegrade } from '@assay/shared/regrades.ts'
import { percentOf } from '@assay/shared/rules/points.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { abandonedOf, currentProcessId } from '../../cluster/processes/processes.ts'
import { AppError, notFound, orNotFound } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { BackgroundWork } from '../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { CourseDoc } from '../../records/courses/course.model.ts'
import { type AnswerUnderWay, type RegradeDoc, RegradeModel } from '../../records/grading/regrade.model.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { adjustedScoreOf, gradedPoints } from '../assignments/adjusted-score.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { findCriterionGrades } from '../grades/grade.service.ts'
import { isTold, markToldOtherwise } from '../grades/release-notification.ts'
import { notifyQuestionChanged } from '../questions/projection-job.ts'
import { checkPoints, requireQuestion } from '../questions/question.service.ts'
import { decide } from '../questions/question-changes.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { findSubmission } from '../submissions/submission.service.ts'
import { setRegradeState } from '../submissions/submission-grades.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { notify } from '../users/notifications/notify.ts'
import { usersById } from '../users/user.service.ts'
import { auditSubjectOf } from './regrade.service.ts'

interface AnsweredRegrade {
  request: RegradeDoc
  submission: SubmissionDoc
  /** Null where no points were changed. `alone`: the student had been told of everything before. */
  changed: { questionId: string; changeId: number; alone: boolean } | null
}

/** In ms. */
const ABANDONED_MS = 60_000

const ANSWERED = 'This request has already been answered. Reload the page to see the answer.'
const POINTS_CONFLICT =
  'Someone else has changed the points of this question. Your answer was not sent. Check the current points, then answer again.'
const UNAVAILABLE =
  'This paper is being graded again, so its points cannot be changed now. Your answer was not sent. Try again in a moment.'
const WHOLE_SCORE =
  'This paper has a score for the whole paper, which points do not change. Change that score first, then answer without points.'

/** The intent is stored first, to be completed at the next start. @throws {AppError} `conflict`, `validation_failed` */
export async function answerRegradeRequest(
  assignment: AssignmentDoc,
  submission: SubmissionDoc,
  regradeId: number,
  { answer, grant }: BodyOf<typeof answerRegrade>,
  actor: Actor,
  now: Date,
): Promise<AnsweredRegrade> {
  const ids = { _id: regradeId, submission_id: submission._id }
  const request = await orNotFound(RegradeModel.findOne(ids).lean(), 'This request does not exist.')
  // An attempt that failed half-way counts, unless its points can no longer be given.
  if (request.answering && now.getTime() - request.answering.at.getTime() > ABANDONED_MS)
    await completeAnswer(assignment, request).catch(() => null)
  const answering: AnswerUnderWay = {
    answer,
    at: now,
    actor: { id: actor.id, role: actor.role, session_id: actor.sessionId },
    change: grant ? changeFor(assignment, submission, grant) : null,
    process: currentProcessId(),
  }
  const begun = await RegradeModel.findOneAndUpdate(
    { ...ids, state: 'open', answering: { $exists: false } },
    { $set: { answering } },
  ).lean()
  if (!begun) throw new AppError('conflict', ANSWERED)
  return completeAnswer(assignment, begun)
}

function changeFor(
  assignment: AssignmentDoc,
  { grade }: SubmissionDoc,
  { question_id, points, decided }: NonNullable<BodyOf<typeof answerRegrade>['grant']>,
): NonNullable<AnswerUnderWay['change']> {
  checkPoints(requireQuestion(assignment, question_id), points)
  if (grade && grade.manual_score_override !== null && !grade.override_from_points)
    throw new AppError('conflict', WHOLE_SCORE)
  return { question_id, before: decided, after: { ...decided, ...points } }
}

/** Idempotent. @throws {AppError} `conflict` where the points could not be given; the request is open then */
async function completeAnswer(assignment: AssignmentDoc, request: RegradeDoc): Promise<AnsweredRegrade> {
  const { answering, _id, submission_id } = request
  if (!answering) throw new Error(`no answer to request ${_id} is under way`)
  const { id, role, session_id } = answering.actor
  const actor = { id, role, sessionId: session_id } as Actor
  const changed = await givePoints(assignment, request, answering, actor)
  const submission = await findSubmission(submission_id)
  if (!submission) throw notFound('This submission does not exist.')
  const answered = await RegradeModel.findOneAndUpdate(
    { _id, state: 'open' },
    {
      $set: {
        state: 'answered',
        answer: answering.answer,
        answered_by: id,
        answered_at: answering.at,
        ...(await scoresNow(assignment, request, submission)),
      },
      $unset: { answering: 1 },
    },
  ).lean()
  if (!answered) throw new AppError('conflict', ANSWERED)
  const marked = await setRegradeState(submission, 'answered')
  await recordAudit(actor, 'regrade.answered', auditSubjectOf(answered), answering.at, {
    before: { score: request.score_when_asked },
    after: {
      score: answered.score_when_answered,
      answer: answering.answer,
      ...(answering.change ? { points: answering.change.after } : {}),
    },
  })
  return { request: answered, submission: marked, changed }
}

async function givePoints(
  assignment: AssignmentDoc,
  { _id, submission_id }: RegradeDoc,
  { change, at }: AnswerUnderWay,
  actor: Actor,
): Promise<AnsweredRegrade['changed']> {
  if (!change) return null
  const before = await findSubmission(submission_id)
  const alone = before !== null && (await isTold(before))
  const question = assignment.rubric?.questions.find((one) => one.id === change.question_id)
  const outcome = question
    ? await decide(assignment, question, [{ submission_id, before: change.before, after: change.after }], actor, at)
    : { change_id: null, conflicts: [], unavailable: [submission_id] }
  if (outcome.conflicts.length + outcome.unavailable.length > 0) {
    await RegradeModel.updateOne({ _id, state: 'open' }, { $unset: { answering: 1 } })
    throw new AppError('conflict', outcome.conflicts.length > 0 ? POINTS_CONFLICT : UNAVAILABLE)
  }
  return outcome.change_id === null ? null : { questionId: change.question_id, changeId: outcome.change_id, alone }
}

async function scoresNow(assignment: AssignmentDoc, { criterion, points }: RegradeDoc, submission: SubmissionDoc) {
  const { grade } = submission
  // As the student sees it.
  const raw = gradedPoints(grade)
  const counts = adjustedScoreOf(assignment, submission, raw)?.points ?? raw
  const score_when_answered = counts && percentOf(counts)
  if (!points) return { score_when_answered, points: null }
  const id = criterion?.criterion_id ?? ''
  const suggested = grade && (await findCriterionGrades(grade.id))?.find(({ criterion_id }) => criterion_id === id)
  const when_answered = grade?.decisions?.[id] ?? suggested?.score ?? null
  return { score_when_answered, points: { ...points, when_answered } }
}

/** Requests whose points were changed meanwhile are open again. */
export async function completeInterruptedAnswers(
  failed: (error: unknown, request: RegradeDoc) => void,
): Promise<(AnsweredRegrade & { assignment: AssignmentDoc })[]> {
  const answering = await RegradeModel.find({ 'answering.at': { $exists: true } })
    .sort({ _id: 1 })
    .lean()
  const interrupted = await abandonedOf(answering, (request) => request.answering?.process)
  const completed: (AnsweredRegrade & { assignment: AssignmentDoc })[] = []
  for (const request of interrupted) {
    try {
      const assignment = await findAssignment(request.assignment_id)
      if (assignment) completed.push({ assignment, ...(await completeAnswer(assignment, request)) })
    } catch (error) {
      failed(error, request)
    }
  }
  return completed
}

export type CarryDecisions = (assignment: AssignmentDoc, questionId: string) => Promise<void>

export async function notifyAnswered(
  assignment: AssignmentDoc,
  { request, submission, changed }: AnsweredRegrade,
  services: Services,
  carryDecisions: CarryDecisions,
): Promise<void> {
  await notifySubmissionChanged(submission, services)
  await mailStudents(request, submission, assignment, services)
  if (!changed) return
  notifyQuestionChanged(assignment, changed.questionId, changed.changeId, services)
  // An earlier change has its own mail.
  if (changed.alone) await markToldOtherwise(submission)
  await carryDecisions(assignment, changed.questionId)
}

export const regradeAnswers = (services: Services, carryDecisions: CarryDecisions): BackgroundWork => ({
  jobs: [],
  async resume() {
    const { log } = services
    const failed = (error: unknown, { _id }: { _id: number }) =>
      log.warn({ err: error, regrade: _id }, 'an interrupted answer to a regrade request could not be completed')
    const completed = await completeInterruptedAnswers(failed)
    for (const { assignment, ...answered } of completed)
      await notifyAnswered(assignment, answered, services, carryDecisions)
    if (completed.length > 0) log.info({ answers: completed.length }, 'completed answers to regrade requests')
  },
})

/** Grades and reasons stay behind the sign-in: a mail only links to the page. */
export async function mailTeachers(
  request: RegradeDoc,
  assignment: AssignmentDoc,
  course: CourseDoc,
  services: Services,
): Promise<void> {
  const teachers = [...(await usersById(course.instructor_ids)).values()]
  const page = `${services.config.publicUrl}/assignments/${assignment._id}/submissions/${request.submission_id}`
  const title = mailedName(assignment.title, 'an assignment')
  const compose = () => ({
    subject: `Regrade request: ${title}`,
    text: `A student in ${mailedName(course.name, 'your course')} requests a regrade of “${title}”.\n\nRead the reason and answer:\n${page}`,
  })
  await notify(teachers, 'grades', compose, `regrade-asked/${request._id}`, services)
}

/** All of a group, whose grade it is about. */
async function mailStudents(
  request: RegradeDoc,
  submission: SubmissionDoc,
  assignment: AssignmentDoc,
  services: Services,
): Promise<void> {
  const people = peopleOf(submission)
  const told = people.includes(request.student_id) ? people : [request.student_id]
  const students = [...(await usersById(told)).values()]
  const page = `${services.config.publicUrl}/student/assignments/${assignment._id}`
  const title = mailedName(assignment.title, 'an assignment')
  const compose = () => ({
    subject: `Your regrade request was answered: ${title}`,
    text: `Your instructor has answered your regrade request for “${title}”.\n\nRead the answer:\n${page}`,
  })
  await notify(students, 'grades', compose, `regrade-answered/${request._id}`, services)
}
