import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { DeferJob, type Job } from '../../../lib/jobs/job.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunHead, RunModel, RunPaperModel, runPaperId } from '../../../records/grading/run.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { matchSubmissions, unmatchIfOthers } from '../../matching/match-submissions.ts'
import { ensureRubric, RubricUnavailableError, readBlankAndKey } from '../../rubrics/assignment-rubric.ts'
import { extractionVersion } from '../../rubrics/rubric.service.ts'
import { readIfTyped } from '../../submissions/pages/paper-reading.service.ts'
import { findSubmissionFile } from '../../submissions/submission-grading.ts'
import {
  deleteStaleAnswers,
  fileOfStaleAnswers,
  hasStaleAnswers,
  ownerOnPaper,
  storeAnswers,
  submissionsWithStaleAnswers,
  updateAnswers,
} from '../../transcriptions/answers.service.ts'
import {
  extractSubmissionAnswers,
  reextractSubmissionAnswers,
} from '../../transcriptions/extract-submission-answers.ts'
import { findRun, findRunHead, isBeingPlanned, notifyRunChanged } from '../run.service.ts'
import {
  addPapersToRun,
  dropPaper,
  failPaper,
  findRunPaper,
  hasOtherPaperInState,
  setPaperState,
  updateSubmission,
} from '../run-papers.ts'
import { runOrWait } from './llm-wait.ts'
import {
  defineRunStep,
  findPendingPaper,
  pendingStateOf,
  prepareStep,
  type RunPaperPayload,
  type RunProgress,
  readStep,
  reextractStep,
} from './run-steps.ts'

const PLANNING_RETRY_MS = 1_000

export function prepareRunJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(services, progress, {
    jobs: prepareStep,
    async find({ runId }: { runId: number }) {
      const run = await findRun(runId)
      if (run && isBeingPlanned(run, services)) throw new DeferJob(PLANNING_RETRY_MS, 'the run is being started')
      const assignment = run?.status === 'preparing' ? await findAssignment(run.assignment_id) : null
      return run && assignment && { run, assignment }
    },
    async run({ run, assignment }, { pool, signal }) {
      if (pool === 'cpu') {
        await matchSubmissions(assignment, services)
        await addPapersToRun(run, services)
        await notifyRunChanged(run, services)
        if (!assignment.rubric) {
          const { untranscribed } = await readBlankAndKey(assignment, services, signal, null)
          if (untranscribed.length > 0) return 'llm'
        }
      }
      const llmAccess = pool === 'llm' ? { context: { run_id: run._id } } : null
      await runOrWait(run, services, () => ensureRubric(assignment, services, signal, llmAccess))
      await RunModel.updateOne({ _id: run._id, status: 'preparing' }, { $set: { status: 'reading' } })
      return null
    },
    expected: [RubricUnavailableError, LlmError],
    async fail({ runId }, { message }) {
      const run = await findRun(runId)
      if (run) progress.scheduleEnd(run, 'failed', message)
    },
    proceed: progress.enqueuePhase,
  })
}

export function readPaperJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(services, progress, {
    jobs: readStep,
    find: (ids: RunPaperPayload) => findPendingPaper(ids, 'reading'),
    async run({ run, assignment }, { ids, pool, signal }) {
      const { runId, submissionId } = ids
      const submission = await updateSubmission(runId, submissionId, { status: 'reading' }, services)
      if (!submission) return dropPaper(ids)
      await leaveScanForLater(ids, submission.file.hash, services, signal, progress)
      const { blank, rubric, extractionVersion: rubric_version } = await ensureRubric(assignment, services, signal)
      const guard = <T>(work: () => Promise<T>) => runOrWait(run, services, work)
      const llmAccess = pool === 'llm' ? { run_id: runId, guard } : null
      const read = await extractSubmissionAnswers(
        submission,
        { assignment, blank, rubric },
        services,
        signal,
        llmAccess,
      )
      if (!read) return 'llm'
      const { pages } = read.paper
      await storeAnswers(submission, { rubric_version, ...read.answers })
      const turned_pages = pages.flatMap(({ number, turned }) => (turned ? [{ page: number, turned }] : []))
      const change = { status: 'grading' as const, page_count: pages.length, turned_pages }
      const moved = await updateSubmission(runId, submissionId, change, services)
      if (!moved) return dropPaper(ids)
      await unmatchIfOthers(moved, ownerOnPaper(read.answers), services)
      await setPaperState(runId, submissionId, 'read')
      return null
    },
    expected: [PaperError, RubricUnavailableError, LlmError],
    async fail({ runId, submissionId }, failure) {
      await failPaper(runId, submissionId, failure, services)
      await progress.advance(runId)
    },
  })
}

/** Typed papers take a hundredth of the time. @throws {DeferJob} until they have been read; {PaperError} */
async function leaveScanForLater(
  { runId, submissionId }: RunPaperPayload,
  hash: string,
  services: Services,
  signal: AbortSignal,
  progress: RunProgress,
): Promise<void> {
  const paper = await findRunPaper(runId, submissionId)
  if (paper?.scanned) return
  const waits = await hasOtherPaperInState(runId, submissionId, pendingStateOf.reading)
  if (!waits && !(await hasOtherPaperInState(runId, submissionId, 'read'))) return
  if (await readIfTyped(hash, services, signal)) return
  await RunPaperModel.updateOne({ _id: runPaperId(runId, submissionId) }, { $set: { scanned: true } })
  if (waits) throw new DeferJob(0, 'typed papers are read first')
  await progress.advance(runId)
}

/** A run over a few papers compares with everyone. Their own states and grades stay. */
export function reextractAnswersJobs(services: Services, progress: RunProgress): Job[] {
  return defineRunStep(services, progress, {
    jobs: reextractStep,
    async find({ runId, submissionId }: RunPaperPayload) {
      const run = await findRunHead(runId)
      const assignment = run?.status === 'reading' ? await findAssignment(run.assignment_id) : null
      const submission = assignment && (await findSubmissionToReextract(assignment, submissionId))
      return assignment && submission && { assignment, submission }
    },
    async run({ assignment, submission }, { signal }) {
      const { blank, rubric, extractionVersion: rubric_version } = await ensureRubric(assignment, services, signal)
      const answers = await reextractSubmissionAnswers(submission, { assignment, blank, rubric }, services, signal)
      await updateAnswers(submission, { rubric_version, ...answers })
      return null
    },
    expected: [PaperError, RubricUnavailableError],
    async fail({ runId, submissionId }) {
      const run = await findRunHead(runId)
      const assignment = run && (await findAssignment(run.assignment_id))
      if (assignment) await excludeFromClass(submissionId, assignment)
      await progress.advance(runId)
    },
  })
}

export async function findStaleSubmissions(assignment: AssignmentDoc, planned: number[]): Promise<number[]> {
  const found = await submissionsWithStaleAnswers(assignment._id, extractionVersion(assignment))
  const own = new Set(planned)
  return found.filter((id) => !own.has(id))
}

export async function hasSubmissionsToReextract(run: RunHead): Promise<boolean> {
  const assignment = await findAssignment(run.assignment_id)
  if (!assignment) return false
  const given = await RunPaperModel.find(
    { run_id: run._id, state: { $in: ['failed', 'stopped'] } },
    { submission_id: 1 },
  ).lean()
  const except = given.map(({ submission_id }) => submission_id)
  return hasStaleAnswers(assignment._id, extractionVersion(assignment), except)
}

/** Null when done or gone. Where the file is another by now, the old answers are deleted. */
async function findSubmissionToReextract(assignment: AssignmentDoc, submissionId: number) {
  const hash = await fileOfStaleAnswers(submissionId, assignment._id, extractionVersion(assignment))
  if (hash === null) return null
  const submission = await findSubmissionFile(submissionId)
  if (submission?.file.hash === hash) return submission
  await excludeFromClass(submissionId, assignment)
  return null
}

const excludeFromClass = (submissionId: number, assignment: AssignmentDoc): Promise<void> =>
  deleteStaleAnswers(submissionId, assignment._id, extractionVersion(assignment))
