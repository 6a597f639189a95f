import { z } from 'zod'
import { defineJob, type Job } from '../../lib/jobs.ts'
import { PaperError } from '../../papers/paper-error.ts'
import type { Services } from '../../services.ts'
import { findAssignment } from '../assignments/assignment.service.ts'
import { storeSuggestion } from '../grades/grade.service.ts'
import { AnswersModel } from '../submissions/answers.model.ts'
import { claimByName, matchAgain } from '../submissions/match-papers.ts'
import { readStoredPaper } from '../submissions/reading.service.ts'
import { tellSubmissionChanged } from '../submissions/submission.events.ts'
import { SubmissionModel } from '../submissions/submission.model.ts'
import { classFor, classKey, classMembers } from './class-of-run.ts'
import { NoRubric, requireRubric, rubricOf } from './rubric-of-assignment.ts'
import { type RunDoc, type RunHead, RunModel, RunPaperModel, runPaperId, underWay } from './run.model.ts'
import {
  endRun,
  findRun,
  findRunHead,
  letGoOfEndedRuns,
  runGroup,
  runsToResume,
  tellRunChanged,
} from './run.service.ts'
import { anyPaper, enterPapers, failPaper, findRunPaper, moveSubmission, setState } from './run-papers.ts'

const OfRun = z.object({ runId: z.number() })
const OfPaper = z.object({ runId: z.number(), submissionId: z.number() })

const BROKEN = {
  code: 'grader_failed',
  message:
    'This paper could not be graded because of an error on our side. Press Retry; if it fails again, contact support.',
}

/** A run from its first job to its last: prepare, read each paper, grade each paper. */
export interface Grading {
  jobs: Job[]
  /** Begins a run that has just been stored. */
  begin(run: RunDoc): Promise<void>
  /** Takes up what an earlier process left in the middle. */
  resume(): Promise<void>
}

export function createGrading(services: Services): Grading {
  const { jobs, clock, grader, log } = services

  const prepareRun = defineJob({
    name: 'prepare-run',
    payload: OfRun,
    attempts: 3,
    async run({ runId }, signal) {
      const run = await findRun(runId)
      if (run?.status !== 'preparing') return carryOn(runId)
      const assignment = await findAssignment(run.assignment_id)
      if (!assignment) return
      await matchAgain(assignment, services)
      await enterPapers(run, services)
      await tellRunChanged(run, services)
      try {
        await rubricOf(assignment, services, signal)
      } catch (error) {
        if (!(error instanceof NoRubric)) throw error
        await endRunLater(run, error.message)
        return
      }
      await RunModel.updateOne({ _id: run._id, status: 'preparing' }, { $set: { status: 'reading' } })
      await carryOn(run._id)
    },
    async onGivenUp({ runId }) {
      const run = await findRun(runId)
      if (run) await endRunLater(run, BROKEN.message)
    },
  })

  const readPaper = defineJob({
    name: 'read-paper',
    payload: OfPaper,
    attempts: 3,
    async run({ runId, submissionId }, signal) {
      const found = await findWork(runId, submissionId, 'reading', 'waiting')
      if (!found) return
      const { run, assignment } = found
      const submission = await moveSubmission(runId, submissionId, { status: 'reading' }, services)
      if (!submission) return drop(runId, submissionId)
      try {
        const { blank, rubric, version } = await rubricOf(assignment, services, signal)
        const paper = await readStoredPaper(submission.file.hash, services, signal)
        const laid = await grader.layOut(rubric, blank, paper)
        signal.throwIfAborted()
        const answers = {
          assignment_id: assignment._id,
          rubric_version: version,
          file_hash: submission.file.hash,
          laid,
        }
        await AnswersModel.updateOne({ _id: submissionId }, { $set: answers }, { upsert: true })
        const read = { status: 'grading' as const, page_count: paper.pages.length }
        const moved = await moveSubmission(runId, submissionId, read, services)
        if (!moved) return drop(runId, submissionId)
        await claimByName(moved, laid.name_on_paper, services)
        await setState(runId, submissionId, 'read')
      } catch (error) {
        if (!(error instanceof PaperError) || error.code === 'cancelled') throw error
        await failPaper(runId, submissionId, { code: error.code, message: error.message }, services)
      }
      await advance(run._id)
    },
    onGivenUp: giveUpPaper,
  })

  const gradePaper = defineJob({
    name: 'grade-paper',
    payload: OfPaper,
    attempts: 3,
    async run({ runId, submissionId }, signal) {
      const found = await findWork(runId, submissionId, 'grading', 'read')
      if (!found) return
      const { run, assignment } = found
      const submission = await SubmissionModel.findOne({ _id: submissionId, run_id: runId }).lean()
      if (!submission) return drop(runId, submissionId)
      // Stored before the process died, and only the run has not heard of it.
      if (submission.status !== 'graded') {
        const { rubric, version } = requireRubric(assignment)
        const suggestion = await grader.grade(rubric, submissionId, await classFor(run, submissionId), signal)
        signal.throwIfAborted()
        const made = { runId, classKey: run.class_key ?? '', rubricVersion: version, grader }
        const stored = await storeSuggestion(submissionId, suggestion, made, clock.now())
        if (!stored) return drop(runId, submissionId)
        await tellSubmissionChanged(stored, services)
      }
      await setState(runId, submissionId, 'graded')
      await advance(run._id)
    },
    onGivenUp: giveUpPaper,
  })

  /** What a job is about, or null when it is no longer wanted: stopped, deleted, or done by an earlier try. */
  async function findWork(
    runId: number,
    submissionId: number,
    status: RunDoc['status'],
    state: 'waiting' | 'read',
  ) {
    const [run, paper] = await Promise.all([findRun(runId), findRunPaper(runId, submissionId)])
    if (run?.status !== status || paper?.state !== state) {
      await carryOn(runId)
      return null
    }
    const assignment = await findAssignment(run.assignment_id)
    return assignment ? { run, assignment } : null
  }

  /** Deleted or handed in anew meanwhile: the run goes on without it, and nothing of it stays in the class. */
  async function drop(runId: number, submissionId: number): Promise<void> {
    await setState(runId, submissionId, 'stopped')
    const submission = await SubmissionModel.findById(submissionId, { 'file.hash': 1 }).lean()
    await AnswersModel.deleteOne({ _id: submissionId, file_hash: { $ne: submission?.file.hash ?? '' } })
    await advance(runId)
  }

  async function giveUpPaper({ runId, submissionId }: z.output<typeof OfPaper>): Promise<void> {
    await failPaper(runId, submissionId, BROKEN, services)
    await advance(runId)
  }

  /** A job may not wait for its own run's jobs to end, so it ends the run from outside. */
  async function endRunLater(run: RunDoc, failure: string): Promise<void> {
    setImmediate(() => {
      endRun(run, 'failed', services, failure).catch((error: unknown) =>
        log.error({ err: error }, 'a run did not end'),
      )
    })
  }

  /**
   * Does what comes next in a run, if it is time: may be called at any moment and by several at once, since each
   * step is taken under a condition and each job has its own key.
   */
  async function advance(runId: number): Promise<void> {
    const run = await findRunHead(runId)
    if (!run || !underWay.includes(run.status)) return
    if (run.status === 'preparing') {
      await jobs.add(prepareRun, [{ key: `${runId}`, group: runGroup(runId), payload: { runId } }])
      return
    }
    const open = await anyPaper(runId, run.status === 'reading' ? 'waiting' : 'read')
    if (open) return tellProgress(run)
    if (run.status === 'reading') return beginGrading(run)
    return complete(run)
  }

  const lastTold = new Map<number, number>()

  /** Counting is quick but not free: watchers are told a few times a second at most. */
  async function tellProgress(run: RunHead): Promise<void> {
    const now = performance.now()
    if (now - (lastTold.get(run._id) ?? Number.NEGATIVE_INFINITY) < 250) return
    lastTold.set(run._id, now)
    const whole = await findRun(run._id)
    if (whole) await tellRunChanged(whole, services)
  }

  /** Sees to it that what is left of the run's present phase is queued, whoever was to do so and did not. */
  async function carryOn(runId: number): Promise<void> {
    const run = await findRunHead(runId)
    if (run?.status === 'reading') await enqueue(readPaper, runId, 'waiting')
    if (run?.status === 'grading') await enqueue(gradePaper, runId, 'read')
    await advance(runId)
  }

  async function enqueue(
    job: typeof readPaper | typeof gradePaper,
    runId: number,
    state: 'waiting' | 'read',
  ) {
    const open = await RunPaperModel.find({ run_id: runId, state }, { submission_id: 1 }).lean()
    const rows = open.map(({ submission_id }) => ({
      key: runPaperId(runId, submission_id),
      group: runGroup(runId),
      payload: { runId, submissionId: submission_id },
    }))
    await jobs.add(job, rows)
  }

  async function beginGrading(run: RunHead): Promise<void> {
    const assignment = await findAssignment(run.assignment_id)
    if (!assignment) return
    const members = await classMembers(assignment._id, assignment.rubric_version)
    const change = {
      status: 'grading' as const,
      class_submission_ids: members,
      class_key: classKey(run, members),
      grading_since: clock.now(),
    }
    await RunModel.updateOne({ _id: run._id, status: 'reading' }, { $set: change })
    await carryOn(run._id)
  }

  async function complete(run: RunHead): Promise<void> {
    lastTold.delete(run._id)
    const ended = await endRun(run, 'completed', services)
    if (!ended) return
    const graded = await RunPaperModel.countDocuments({ run_id: run._id, state: 'graded' })
    const failed = await RunPaperModel.countDocuments({ run_id: run._id, state: 'failed' })
    const message = failed === 0 ? `${graded} graded.` : `${graded} graded, ${failed} could not be graded.`
    const payload = {
      assignment_id: run.assignment_id,
      run_id: run._id,
      message,
      total: graded + failed,
      graded,
      failed,
    }
    services.events.emit('assignment_completion', { assignmentId: run.assignment_id, payload })
    services.events.emit('completion_for_user', { userId: ended.started_by, payload })
  }

  return {
    jobs: [prepareRun, readPaper, gradePaper],
    begin: (run) => advance(run._id),
    async resume() {
      await letGoOfEndedRuns(services)
      for (const run of await runsToResume(services)) {
        log.info({ run: run._id }, 'taking up a run')
        await carryOn(run._id)
      }
    },
  }
}
