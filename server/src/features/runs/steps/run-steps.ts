import { z } from 'zod'
import { LlmError } from '../../../grader/llm/errors/llm-error.ts'
import { defineJob, type Job, type NewJob } from '../../../lib/jobs/job.ts'
import { PaperError } from '../../../papers/paper-error.ts'
import type { AssignmentDoc } from '../../../records/assignments/assignment.model.ts'
import { type RunHead, type RunPaperDoc, runPaperId } from '../../../records/grading/run.model.ts'
import type { Services } from '../../../services.ts'
import { findAssignment } from '../../assignments/assignment.service.ts'
import { fairShareKey } from '../../llm/concurrency-limits.ts'
import type { RubricUnavailableError } from '../../rubrics/assignment-rubric.ts'
import { findRunHead, runGroup } from '../run.service.ts'
import { findRunPaper } from '../run-papers.ts'

const RunPayload = z.object({ runId: z.number() })
const RunPaperPayload = z.object({ runId: z.number(), submissionId: z.number() })
type RunPayload = z.infer<typeof RunPayload>
export type RunPaperPayload = z.infer<typeof RunPaperPayload>

/** LLM requests mostly wait, so they have a pool of their own. */
export type GradingPool = 'cpu' | 'llm'

/** A job in every pool a step may be done in. */
export const prepareStep = {
  cpu: { name: 'prepare-run', payload: RunPayload },
  llm: { name: 'prepare-run-by-llm', payload: RunPayload },
}
export const readStep = {
  cpu: { name: 'read-paper', payload: RunPaperPayload },
  llm: { name: 'read-paper-by-llm', payload: RunPaperPayload },
}
export const reextractStep = { cpu: { name: 'reextract-answers', payload: RunPaperPayload } }
export const gradeStep = {
  cpu: { name: 'grade-paper', payload: RunPaperPayload },
  llm: { name: 'grade-paper-by-llm', payload: RunPaperPayload },
}

/** Few, so they need not wait behind the scans. */
export const suggestJob = { name: 'suggest-grade', payload: RunPaperPayload }

/** With a course, rows share the LLM's pool fairly between courses. */
export function stepRow(
  ids: RunPayload & Partial<RunPaperPayload>,
  { course_id }: { course_id?: number | null } = {},
): NewJob {
  const { runId, submissionId } = ids
  return {
    key: submissionId === undefined ? `${runId}` : runPaperId(runId, submissionId),
    group: runGroup(runId),
    payload: ids,
    ...(course_id === undefined ? {} : { fairShareKey: fairShareKey(course_id) }),
  }
}

export const pendingStateOf = { reading: 'waiting', grading: 'read' } as const satisfies Record<
  string,
  RunPaperDoc['state']
>

export interface RunProgress {
  /** May be called at any time: each step is taken under a condition and each job has its own key. */
  advance(runId: number): Promise<void>
  /** For a process that died before it queued what is left. */
  enqueuePhase(runId: number): Promise<void>
  /** From outside, as a job cannot wait for its own run's jobs. Unless a person stopped it, jobs at work may finish. */
  scheduleEnd(run: RunHead, how: 'failed' | 'stopped', failure: string): void
}

type ExpectedError = LlmError | PaperError | RubricUnavailableError

interface RunStep<Ids extends RunPayload, Work extends { assignment: Pick<AssignmentDoc, 'course_id'> }> {
  jobs: Partial<Record<GradingPool, { name: string; payload: z.ZodType<Ids> }>>
  /** Null when the run was stopped, its assignment deleted, or an earlier attempt did it. */
  find(ids: Ids): Promise<Work | null>
  /** Returns another pool to continue in, or null. May be repeated. */
  run(work: Work, at: { ids: Ids; pool: GradingPool; signal: AbortSignal }): Promise<GradingPool | null>
  /** `fail` records these at once; others are retried first. */
  expected: (abstract new (
    ...args: never[]
  ) => ExpectedError)[]
  fail(ids: Ids, failure: { code: string; message: string }): Promise<void>
  /** Absent: `progress.advance`. */
  proceed?(runId: number): Promise<void>
}

const INTERNAL_FAILURE = {
  code: 'grader_failed',
  message:
    'This paper could not be graded because of an internal error. Select Retry; if it fails again, contact support.',
}

export function defineRunStep<Ids extends RunPayload, Work extends { assignment: Pick<AssignmentDoc, 'course_id'> }>(
  { jobs }: Services,
  progress: RunProgress,
  step: RunStep<Ids, Work>,
): Job[] {
  async function attempt(ids: Ids, pool: GradingPool, signal: AbortSignal): Promise<void> {
    const work = await step.find(ids)
    if (!work) return progress.enqueuePhase(ids.runId)
    try {
      const otherPool = await step.run(work, { ids, pool, signal })
      const job = otherPool && step.jobs[otherPool]
      if (job) return await jobs.add(job, [stepRow(ids, work.assignment)])
    } catch (error) {
      if (!isExpected(error)) throw error
      if (error instanceof LlmError && error.scope === 'budget') {
        const run = await findRunHead(ids.runId)
        if (run) progress.scheduleEnd(run, 'stopped', error.message)
      } else {
        const { code, message } = error
        await step.fail(ids, { code, message })
      }
      return
    }
    await (step.proceed ?? progress.advance)(ids.runId)
  }

  function isExpected(error: unknown): error is ExpectedError {
    if (error instanceof PaperError && error.code === 'cancelled') return false
    return step.expected.some((kind) => error instanceof kind)
  }

  return (['cpu', 'llm'] as const).flatMap((pool) => {
    const job = step.jobs[pool]
    if (!job) return []
    return defineJob({
      ...job,
      pool,
      run: (ids, signal) => attempt(ids, pool, signal),
      onFailed: (ids) => step.fail(ids, INTERNAL_FAILURE),
    })
  })
}

export async function findPendingPaper(
  { runId, submissionId }: RunPaperPayload,
  phase: keyof typeof pendingStateOf,
  state: RunPaperDoc['state'] = pendingStateOf[phase],
): Promise<{ run: RunHead; assignment: AssignmentDoc } | null> {
  const [run, paper] = await Promise.all([findRunHead(runId), findRunPaper(runId, submissionId)])
  if (run?.status !== phase || paper?.state !== state) return null
  const assignment = await findAssignment(run.assignment_id)
  return assignment && { run, assignment }
}
