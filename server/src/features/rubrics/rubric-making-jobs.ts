import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { makeRubric } from '@assay/shared/rubric-endpoints.ts'
import { EditedRubric } from '@assay/shared/rules/edited-rubric.ts'
import { z } from 'zod'
import type { Grader } from '../../grader/grader.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import { isDuplicateKeyError, nextId } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { BackgroundWork } from '../../lib/jobs/background-work.ts'
import { defineJob } from '../../lib/jobs/job.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type RubricMakingDoc, RubricMakingModel } from '../../records/assignments/rubric-making.model.ts'
import type { RubricVersionDoc } from '../../records/assignments/rubric-version.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { type BlankAndKey, RubricUnavailableError, readBlankAndKey, requireQuestions } from './assignment-rubric.ts'
import { requireNoActiveRun } from './edit-rubric.ts'
import { replaceRubric, requireSameVersion, rubricOrigin } from './rubric.service.ts'
import {
  beginSaving,
  endMaking,
  failMaking,
  findOpenMaking,
  makingJobGroup,
  setMakingMessage,
  versionMadeBy,
} from './rubric-making.service.ts'
import type { RubricUsage } from './rubric-usage.ts'

const Payload = z.object({ assignmentId: z.number(), makingId: z.number() })
type Payload = z.infer<typeof Payload>

const RUBRIC_IS_EDITED =
  'This rubric was written or edited by a teacher. Recreating replaces it; confirm to continue. The current version stays in the version history.'
const ALREADY_MAKING = 'A rubric is already being created for this assignment. Wait until it is ready.'
const NO_LLM = 'No AI model is set up. Create the rubric from the blank and the key, or write it yourself.'
const READ_BY_OCR_ONLY =
  'The AI model could not read the scanned pages of the blank assignment and the answer key, so they were read by OCR. Check the questions.'
const INTERNAL_FAILURE =
  'The rubric could not be created because of an internal error. Try again, or write it yourself.'

/** By the rules, where a model may have to read scanned pages first. */
const RULES_WITH_LLM_READING = 'rules-reading'
type MakingMethod = RubricMakingDoc['by'] | typeof RULES_WITH_LLM_READING

/** Makes rubrics from blank and key, outside a run. */
export interface RubricMakings extends BackgroundWork {
  start(assignment: AssignmentDoc, how: BodyOf<typeof makeRubric>, actor: Actor): Promise<void>
  resume(): Promise<void>
}

export function createRubricMakings(services: Services, usage: RubricUsage): RubricMakings {
  const { clock, jobs } = services

  async function run({ assignmentId, makingId }: Payload, signal: AbortSignal): Promise<void> {
    const making = await findOpenMaking({ _id: assignmentId, making_id: makingId })
    const assignment = making && (await findAssignment(assignmentId))
    if (!making || !assignment) return
    try {
      // Stored before the process died; only the making was not updated.
      const made = (await versionMadeBy(assignment, making)) ?? (await make(assignment, making, signal))
      if (made) await endMaking(making, made)
    } catch (error) {
      const expected = error instanceof RubricUnavailableError || error instanceof LlmError || error instanceof AppError
      // Broken off on purpose, it says nothing of the rubric.
      if (!expected || signal.aborted) throw error
      await failMaking(making, error.message)
    }
  }

  /** Null when it was stopped meanwhile. */
  async function make(
    assignment: AssignmentDoc,
    making: RubricMakingDoc,
    signal: AbortSignal,
  ): Promise<RubricVersionDoc | null> {
    requireSameVersion(assignment, making.made_on)
    const { grader, name } = await makerFor(assignment, making)
    const read = await readPapers(assignment, making, signal)
    await setMakingMessage(making, name ? `${name} is creating the rubric` : 'Creating the rubric')
    const rubric = requireQuestions(await grader.makeRubric(read.blank, read.key, signal), read)
    signal.throwIfAborted()
    if (making.by === 'model' && !EditedRubric.safeParse(rubric).success)
      throw new RubricUnavailableError(
        'The AI model returned an invalid rubric. Try again, or create the rubric from the blank and the key.',
      )
    await requireNoActiveRun(assignment, usage)
    if (!(await beginSaving(making))) return null
    const { by, making_id } = making
    const made = { by, user_id: null, name, note: '', at: clock.now(), making_id }
    return versionMadeBy(await replaceRubric(assignment, rubric, made), making)
  }

  async function readPapers(
    assignment: AssignmentDoc,
    making: RubricMakingDoc,
    signal: AbortSignal,
  ): Promise<BlankAndKey> {
    const onProgress = (message: string) => setMakingMessage(making, message)
    const llmAccess = { context: { making_id: making.making_id }, onProgress }
    try {
      return await readBlankAndKey(assignment, services, signal, llmAccess)
    } catch (error) {
      // The rules need no model: what OCR has of the pages will do until one answers.
      if (making.by === 'model' || !(error instanceof LlmError)) throw error
      const read = await readBlankAndKey(assignment, services, signal, null)
      return { ...read, problems: [`${READ_BY_OCR_ONLY} ${error.message}`, ...read.problems] }
    }
  }

  async function makerFor(
    { _id: assignment_id, course_id }: AssignmentDoc,
    { by, making_id }: RubricMakingDoc,
  ): Promise<{ grader: Pick<Grader, 'makeRubric'>; name: string | null }> {
    if (by === 'rules') return { grader: services.grader, name: null }
    const chosen = await services.llm.chosenFor(course_id)
    if (!chosen) throw new AppError('conflict', NO_LLM)
    const { createLlmGrader } = await import('../../grader/llm-grading/llm-grader.ts')
    const ask = services.llm.clientFor(chosen, { course_id, assignment_id, making_id })
    return { grader: createLlmGrader({ llm: ask, offline: services.grader, settings: chosen }), name: chosen.name }
  }

  const jobFor = (how: MakingMethod) =>
    defineJob({
      name: `make-rubric-by-${how}`,
      payload: Payload,
      attempts: 2,
      pool: how === 'rules' ? 'cpu' : 'llm',
      run,
      onFailed: ({ assignmentId, makingId }) =>
        failMaking({ _id: assignmentId, making_id: makingId }, INTERNAL_FAILURE),
    })
  const jobsOf = {
    rules: jobFor('rules'),
    [RULES_WITH_LLM_READING]: jobFor(RULES_WITH_LLM_READING),
    model: jobFor('model'),
  }

  async function queue(making: RubricMakingDoc, courseId: number | null): Promise<void> {
    const { _id, making_id, by } = making
    const asks = by === 'rules' && (await services.llm.chosenFor(courseId))?.pictures
    const payload = { assignmentId: _id, makingId: making_id }
    await jobs.add(jobsOf[asks ? RULES_WITH_LLM_READING : by], [
      { key: `${making_id}`, group: makingJobGroup(making), payload },
    ])
  }

  return {
    jobs: Object.values(jobsOf),
    async start(assignment, { by, replace }, actor) {
      await requireNoActiveRun(assignment, usage)
      if (by === 'model' && !(await services.llm.chosenFor(assignment.course_id)))
        throw new AppError('conflict', NO_LLM)
      const written = assignment.rubric && ['user', 'copy'].includes(rubricOrigin(assignment).by)
      if (written && !replace) throw new AppError('conflict', RUBRIC_IS_EDITED)
      await RubricMakingModel.deleteOne({ _id: assignment._id, state: 'failed' })
      const making: RubricMakingDoc = {
        _id: assignment._id,
        making_id: await nextId('rubric_makings'),
        by,
        state: 'running',
        message: 'Reading the blank assignment',
        made_on: assignment.rubric_version,
        actor_id: actor.id,
        actor_role: actor.role,
        session_id: actor.sessionId,
      }
      await RubricMakingModel.create(making).catch((error: unknown) => {
        throw isDuplicateKeyError(error) ? new AppError('conflict', ALREADY_MAKING, { cause: error }) : error
      })
      await queue(making, assignment.course_id)
    },
    async resume() {
      for (const making of await RubricMakingModel.find({ state: { $ne: 'failed' } }).lean()) {
        // Begun by an earlier version of Assay, which gave makings no id.
        if (making.making_id === undefined)
          await RubricMakingModel.updateOne(
            { _id: making._id },
            { $set: { state: 'failed', message: INTERNAL_FAILURE } },
          )
        else await queue(making, (await findAssignment(making._id))?.course_id ?? null)
      }
    },
  }
}
