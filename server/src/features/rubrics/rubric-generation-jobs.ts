import type { BodyOf } from '@assay/shared/http/endpoint.ts'
import type { generateRubric } from '@assay/shared/rubric-endpoints.ts'
import { EditedRubric } from '@assay/shared/rules/edited-rubric.ts'
import { z } from 'zod'
import { AuditModel, recordAudit } from '../../audit/audit.service.ts'
import { LlmError } from '../../grader/llm/errors/llm-error.ts'
import { isDuplicateKeyError, nextId } from '../../lib/database/database.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import { asDeferral, type BackgroundWork, defineJob } from '../../lib/jobs/job.ts'
import type { JobQueue } from '../../lib/jobs/job-queue.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import {
  type RubricGenerationDoc,
  RubricGenerationModel,
  type RubricVersionDoc,
  RubricVersionModel,
} from '../../records/assignments/rubric-version.model.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { assignmentPictures } from '../transcriptions/read-assignment-paper.ts'
import { RubricUnavailableError, readBlankAndKey, requireQuestions } from './assignment-rubric.ts'
import { type RubricUsage, requireNoActiveRun } from './edit-rubric.ts'
import { replaceRubric, requireSameVersion, rubricOrigin, storeVersion } from './rubric.service.ts'

const Payload = z.object({ assignmentId: z.number(), generationId: z.number() })
type Payload = z.infer<typeof Payload>

const RUBRIC_IS_EDITED =
  'This rubric was written or edited by a teacher. Recreating replaces it; confirm to continue. The current version stays in the version history.'
const ALREADY_GENERATING = 'A rubric is already being created for this assignment. Wait until it is ready.'
const NO_LLM = 'No AI model is set up. Create the rubric from the blank and the key, or write it yourself.'
const READ_BY_OCR_ONLY =
  'The AI model could not read the scanned pages of the blank assignment and the answer key, so they were read by OCR. Check the questions.'
const INTERNAL_FAILURE =
  'The rubric could not be created because of an internal error. Try again, or write it yourself.'

/** By the rules, where a model may have to read scanned pages first. */
const RULES_WITH_LLM_READING = 'rules-reading'
type GenerationMethod = RubricGenerationDoc['by'] | typeof RULES_WITH_LLM_READING

export interface RubricGenerations extends BackgroundWork {
  start(assignment: AssignmentDoc, how: BodyOf<typeof generateRubric>, actor: Actor): Promise<void>
  resume(): Promise<void>
}

export function createRubricGenerations(services: Services, usage: RubricUsage): RubricGenerations {
  const { clock, jobs } = services

  async function run({ assignmentId, generationId }: Payload, signal: AbortSignal): Promise<void> {
    const generation = await findOpenGeneration({ _id: assignmentId, generation_id: generationId })
    const assignment = generation && (await findAssignment(assignmentId))
    if (!generation || !assignment) return
    try {
      // The process may have died before the generation was updated.
      const made = (await versionMadeBy(assignment, generation)) ?? (await make(assignment, generation, signal))
      if (made) await endGeneration(generation, made)
    } catch (error) {
      const expected = error instanceof RubricUnavailableError || error instanceof LlmError || error instanceof AppError
      // Neither a stop nor a storage outage is a failure of the rubric.
      if (!expected || signal.aborted || asDeferral(error)) throw error
      await failGeneration(generation, error.message)
    }
  }

  async function make(assignment: AssignmentDoc, generation: RubricGenerationDoc, signal: AbortSignal) {
    requireSameVersion(assignment, generation.made_on)
    const { grader, name } = await graderFor(assignment, generation, signal)
    const read = await readPapers(assignment, generation, signal)
    await setGenerationMessage(generation, name ? `${name} is creating the rubric` : 'Creating the rubric')
    const rubric = requireQuestions(await grader.generateRubric(read.blank, read.key, signal), read)
    signal.throwIfAborted()
    if (generation.by === 'model' && !EditedRubric.safeParse(rubric).success)
      throw new RubricUnavailableError(
        'The AI model returned an invalid rubric. Try again, or create the rubric from the blank and the key.',
      )
    await requireNoActiveRun(assignment, usage)
    if (!(await beginSaving(generation))) return null
    const { by, generation_id } = generation
    const made = { by, user_id: null, name, note: '', at: clock.now(), generation_id }
    return versionMadeBy(await replaceRubric(assignment, rubric, made), generation)
  }

  async function readPapers(assignment: AssignmentDoc, generation: RubricGenerationDoc, signal: AbortSignal) {
    const onProgress = (message: string) => setGenerationMessage(generation, message)
    const llmAccess = { context: { generation_id: generation.generation_id }, onProgress }
    try {
      return await readBlankAndKey(assignment, services, signal, llmAccess)
    } catch (error) {
      // The rules need no model: OCR will do.
      if (generation.by === 'model' || !(error instanceof LlmError)) throw error
      const read = await readBlankAndKey(assignment, services, signal, null)
      return { ...read, problems: [`${READ_BY_OCR_ONLY} ${error.message}`, ...read.problems] }
    }
  }

  async function graderFor(assignment: AssignmentDoc, { by, generation_id }: RubricGenerationDoc, signal: AbortSignal) {
    if (by === 'rules') return { grader: services.grader, name: null }
    const { _id: assignment_id, course_id } = assignment
    const chosen = await services.llm.chosenFor(course_id)
    if (!chosen) throw new AppError('conflict', NO_LLM)
    const { createLlmGrader } = await import('../../grader/llm-grading/llm-grader.ts')
    const ask = services.llm.clientFor(chosen, { course_id, assignment_id, generation_id })
    const pictures = chosen.pictures ? () => assignmentPictures(assignment, services, signal) : undefined
    const options = { llm: ask, offline: services.grader, settings: chosen, rubricPictures: pictures }
    return { grader: createLlmGrader(options), name: chosen.name }
  }

  const jobFor = (how: GenerationMethod) =>
    defineJob({
      name: `generate-rubric-by-${how}`,
      payload: Payload,
      attempts: 2,
      pool: how === 'rules' ? 'cpu' : 'llm',
      run,
      onFailed: ({ assignmentId, generationId }) =>
        failGeneration({ _id: assignmentId, generation_id: generationId }, INTERNAL_FAILURE),
    })
  const jobsOf = {
    rules: jobFor('rules'),
    [RULES_WITH_LLM_READING]: jobFor(RULES_WITH_LLM_READING),
    model: jobFor('model'),
  }

  async function queue(generation: RubricGenerationDoc, courseId: number | null): Promise<void> {
    const { _id, generation_id, by } = generation
    const asks = by === 'rules' && (await services.llm.chosenFor(courseId))?.pictures
    const payload = { assignmentId: _id, generationId: generation_id }
    await jobs.add(jobsOf[asks ? RULES_WITH_LLM_READING : by], [
      { key: `${generation_id}`, group: generationJobGroup(generation), payload },
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
      await RubricGenerationModel.deleteOne({ _id: assignment._id, state: 'failed' })
      const generation: RubricGenerationDoc = {
        _id: assignment._id,
        generation_id: await nextId('rubric_generations'),
        by,
        state: 'running',
        message: 'Reading the blank assignment',
        made_on: assignment.rubric_version,
        actor_id: actor.id,
        actor_role: actor.role,
        session_id: actor.sessionId,
      }
      await RubricGenerationModel.create(generation).catch((error: unknown) => {
        throw isDuplicateKeyError(error) ? new AppError('conflict', ALREADY_GENERATING, { cause: error }) : error
      })
      await queue(generation, assignment.course_id)
    },
    async resume() {
      for (const generation of await RubricGenerationModel.find({ state: { $ne: 'failed' } }).lean()) {
        // Started by an earlier version of Assay, which gave generations no id.
        if (generation.generation_id === undefined)
          await RubricGenerationModel.updateOne(
            { _id: generation._id },
            { $set: { state: 'failed', message: INTERNAL_FAILURE } },
          )
        else await queue(generation, (await findAssignment(generation._id))?.course_id ?? null)
      }
    },
  }
}

type GenerationRef = Pick<RubricGenerationDoc, '_id' | 'generation_id'>

const byGenerationRef = ({ _id, generation_id }: GenerationRef) => ({ _id, generation_id })

/** One each: stopping one must not cancel the next, started in another tab. */
export const generationJobGroup = ({ _id, generation_id }: GenerationRef) => `rubric:${_id}/${generation_id}`

/** Null once it was stopped, failed or stored, or its assignment deleted. */
const findOpenGeneration = (generation: GenerationRef): Promise<RubricGenerationDoc | null> =>
  RubricGenerationModel.findOne({ ...byGenerationRef(generation), state: { $ne: 'failed' } }).lean()

async function setGenerationMessage(generation: GenerationRef, message: string): Promise<void> {
  await RubricGenerationModel.updateOne({ ...byGenerationRef(generation), state: 'running' }, { $set: { message } })
}

/** False if it has been stopped; from here on it cannot be. */
async function beginSaving(generation: GenerationRef): Promise<boolean> {
  const { matchedCount } = await RubricGenerationModel.updateOne(
    { ...byGenerationRef(generation), state: { $ne: 'failed' } },
    { $set: { state: 'saving' } },
  )
  return matchedCount > 0
}

async function failGeneration(generation: GenerationRef, message: string): Promise<void> {
  await RubricGenerationModel.updateOne(byGenerationRef(generation), { $set: { state: 'failed', message } })
}

async function versionMadeBy(
  assignment: AssignmentDoc,
  { made_on, generation_id }: Pick<RubricGenerationDoc, 'made_on' | 'generation_id'>,
): Promise<RubricVersionDoc | null> {
  await storeVersion(assignment)
  const id = `${assignment._id}/${made_on + 1}`
  return RubricVersionModel.findOne({ _id: id, 'made.generation_id': generation_id }).lean()
}

async function endGeneration(generation: RubricGenerationDoc, { version, made }: RubricVersionDoc): Promise<void> {
  const action = 'rubric.made'
  const subject = { assignment_id: generation._id }
  const known = { action, 'subject.assignment_id': generation._id, 'after.version': version }
  if (!(await AuditModel.exists(known))) {
    const actor = { id: generation.actor_id, role: generation.actor_role, sessionId: generation.session_id }
    await recordAudit(actor, action, subject, made.at, {
      before: { version: generation.made_on },
      after: { version, by: made.name ?? generation.by },
    })
  }
  await RubricGenerationModel.deleteOne(byGenerationRef(generation))
}

/** Does not wait for an LLM request in progress, nor stop a generation that is being saved. */
export async function stopGeneration(assignmentId: number, { jobs }: { jobs: JobQueue }): Promise<void> {
  const stopped = await RubricGenerationModel.findOneAndDelete({ _id: assignmentId, state: 'running' }).lean()
  if (stopped) await jobs.cancel(generationJobGroup(stopped))
}
