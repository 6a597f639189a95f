import { z } from 'zod'
import { AppError } from '../../lib/http/app-error.ts'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { RubricAmendmentDoc } from '../../records/grading/rubric-amendment.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { notifyReleased } from '../grades/release-notification.ts'
import { fairShareKey } from '../llm/concurrency-limits.ts'
import { changeState, findUnfinishedAmendments, requireAmendment } from './amendment.service.ts'
import { amendRubric, applyToAnswers } from './apply-amendment.ts'
import { AmendmentStopped, previewAmendment } from './preview-amendment.ts'
import { restoreRubric, undoOnAnswers } from './undo-amendment.ts'

export interface Amendments extends BackgroundWork {
  /** Goes on with what the amendment's state says: computes it, applies it, or undoes it. */
  enqueue(assignment: Pick<AssignmentDoc, 'course_id'>, amendment: RubricAmendmentDoc): Promise<void>
}

const Payload = z.object({ assignmentId: z.number(), amendmentId: z.number() })
const job = { name: 'amend-rubric', payload: Payload } as const

const INTERNAL_FAILURE = 'This could not be finished because of an internal error. Close it and start again.'
const UNDO_FAILED = 'This could not be undone because of an internal error. Undo it again.'
const RUBRIC_CHANGED = 'The rubric was changed while the answers were compared. Close this and start again.'

/** `carryDecisions` is called once answers have changed. */
export function createAmendments(
  services: Services,
  carryDecisions: (assignment: AssignmentDoc, questionId: string) => Promise<void>,
): Amendments {
  const { jobs, log, clock, events } = services

  async function compute(assignment: AssignmentDoc, amendment: RubricAmendmentDoc, signal: AbortSignal) {
    if (assignment.rubric_version !== amendment.rubric_version) throw new AppError('conflict', RUBRIC_CHANGED)
    const preview = await previewAmendment(assignment, amendment, services, signal)
    await changeState(amendment, ['computing'], { ...preview, state: 'ready' })
  }

  async function apply(loaded: AssignmentDoc, amendment: RubricAmendmentDoc, signal: AbortSignal) {
    const { choice, question_id } = amendment
    if (!choice) throw new Error(`nothing was chosen for amendment ${amendment._id}`)
    const assignment = await amendRubric(loaded, { ...amendment, choice })
    const applied = await applyToAnswers(assignment, { ...amendment, choice }, services, signal)
    const amended_version = amendment.amended_version ?? assignment.rubric_version
    await changeState(amendment, ['applying'], {
      ...applied,
      amended_version,
      state: 'applied',
      applied_at: clock.now(),
    })
    events.emit('question_changed', {
      assignmentId: assignment._id,
      payload: { assignment_id: assignment._id, question_id, change_id: choice.change_id },
    })
    await notifyReleased(assignment, null, services)
    await carryDecisions(assignment, question_id)
  }

  async function undo(loaded: AssignmentDoc, amendment: RubricAmendmentDoc, signal: AbortSignal) {
    const { undo, question_id } = amendment
    if (!undo) throw new Error(`nobody has asked to undo amendment ${amendment._id}`)
    const assignment = await restoreRubric(loaded, { ...amendment, undo })
    const restored = await undoOnAnswers(assignment, { ...amendment, undo }, services, signal)
    await changeState(amendment, ['undoing'], { state: 'undone', undo: { ...undo, restored } })
    events.emit('question_changed', {
      assignmentId: assignment._id,
      payload: { assignment_id: assignment._id, question_id, change_id: null },
    })
    await notifyReleased(assignment, null, services)
    await carryDecisions(assignment, question_id)
  }

  /** What could not be undone can be tried again: it goes on with what is left. */
  const fail = async (amendment: RubricAmendmentDoc, failure: string) => {
    await changeState(amendment, ['computing', 'applying'], { state: 'failed', failure })
    await changeState(amendment, ['undoing'], { state: 'applied', failure })
  }

  const amend = defineJob({
    ...job,
    pool: 'cpu',
    attempts: 3,
    async run({ assignmentId, amendmentId }, signal) {
      const assignment = await findAssignment(assignmentId)
      if (!assignment) return
      const amendment = await requireAmendment(assignmentId, amendmentId)
      try {
        if (amendment.state === 'computing') await compute(assignment, amendment, signal)
        else if (amendment.state === 'applying') await apply(assignment, amendment, signal)
        else if (amendment.state === 'undoing') await undo(assignment, amendment, signal)
      } catch (error) {
        if (error instanceof AmendmentStopped) return
        if (!(error instanceof AppError)) throw error
        await fail(amendment, error.message)
      }
    },
    async onFailed({ assignmentId, amendmentId }) {
      const amendment = await requireAmendment(assignmentId, amendmentId)
      await fail(amendment, amendment.state === 'undoing' ? UNDO_FAILED : INTERNAL_FAILURE)
    },
  })

  const enqueue = (
    { course_id }: Pick<AssignmentDoc, 'course_id'>,
    { _id, assignment_id, state, undo }: RubricAmendmentDoc,
  ) =>
    jobs.add(job, [
      {
        // Undoing may be tried again.
        key: state === 'undoing' ? `${_id}/undoing/${undo?.at.getTime()}` : `${_id}/${state}`,
        group: `amend/${_id}`,
        payload: { assignmentId: assignment_id, amendmentId: _id },
        fairShareKey: fairShareKey(course_id),
      },
    ])

  return {
    jobs: [amend],
    enqueue,
    async resume() {
      // Stored, and the process ended before its job was.
      const unfinished = await findUnfinishedAmendments()
      if (unfinished.length > 0) log.info({ amendments: unfinished.length }, 'continuing changes to rubrics')
      for (const amendment of unfinished) {
        const assignment = await findAssignment(amendment.assignment_id)
        if (assignment) await enqueue(assignment, amendment)
      }
    },
  }
}
