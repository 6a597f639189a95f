import {
  exportGradeHistory,
  type GradeHistory,
  getGradeHistory,
  type LlmCallEntry,
  type SuggestionEntry,
} from '@assay/shared/grade-history.ts'
import type { Router } from 'express'
import { auditEntriesOfSubmission } from '../../audit/audit.service.ts'
import { handle } from '../../lib/http/handle.ts'
import { fileToSave } from '../../lib/http/made-file.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { GradeDetailsDoc } from '../../records/grading/grade.model.ts'
import type { LlmCallDoc } from '../../records/llm/llm-call.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { blindMarksOf } from '../accuracy/accuracy-check.service.ts'
import { presentAuditEntries } from '../admin/audit.present.ts'
import { hideTexts, shownFileName, submissionLabel } from '../anonymity/hidden-names.ts'
import { adjustedScoreOf, gradedPoints } from '../assignments/adjusted-score.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { findGradeDetails } from '../grades/grade.service.ts'
import { llmAnswersOfSubmission, llmCallsOfSubmission } from '../llm/usage/llm-usage.ts'
import { stoppedRunsOf } from '../runs/run-papers.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { submissionBatchesToShow } from '../submissions/submission-batches.ts'

export function gradeHistoryRoutes(router: Router, services: Services): void {
  handle(router, getGradeHistory, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    return composeGradeHistory(await requireSubmission(params), assignment, services)
  })

  handle(router, exportGradeHistory, async ({ params, actor }) => {
    const assignment = await requireAssignmentFor(actor, params.assignmentId)
    const name = `assignment_${assignment._id}_history.jsonl`
    return fileToSave(name, 'application/x-ndjson; charset=utf-8', gradeHistoryLines(assignment, services))
  })
}

async function composeGradeHistory(
  submission: SubmissionDoc,
  assignment: AssignmentDoc,
  services: Pick<Services, 'names'>,
): Promise<GradeHistory> {
  const { _id, assignment_id, file, created_at } = submission
  const { rubric } = assignment
  const [details, events, blind_marks, calls, answers, mask] = await Promise.all([
    findGradeDetails(_id),
    auditEntriesOfSubmission(_id).then((entries) => presentAuditEntries(entries, services)),
    blindMarksOf(submission),
    llmCallsOfSubmission(_id),
    llmAnswersOfSubmission(_id),
    services.names.maskFor(assignment),
  ])
  const runs = new Set(calls.flatMap(({ run_id }) => run_id ?? []))
  const stopped = await stoppedRunsOf(_id, [...runs])
  const numbers = new Map(rubric?.questions.map(({ id, number }) => [id, number]))
  const { grade } = submission
  const adjusted = adjustedScoreOf(assignment, submission, gradedPoints(grade))
  const rawById = new Map(answers.map((one) => [one._id, one.raw]))
  const priced = calls.filter(({ dollars }) => dollars !== null)
  const sum = (of: (call: LlmCallDoc) => number) => calls.reduce((total, call) => total + of(call), 0)
  return {
    format: 'assay-grade-history/1',
    submission_id: _id,
    assignment_id,
    student_identifier: submissionLabel(assignment, submission),
    paper: {
      file_name: shownFileName(assignment, submission),
      sha256: file.hash,
      handed_in_at: created_at.toISOString(),
    },
    final_score_after_review: grade ? (grade.manual_score_override ?? grade.overall_score) : null,
    points: grade?.points ?? null,
    ...(adjusted ? { adjusted } : {}),
    suggestions: details.flatMap((one) => hideTexts(presentSuggestion(one, grade, numbers), mask)),
    events,
    blind_marks,
    calls: calls.map((call) => hideTexts(presentCall(call, rawById.get(call._id) ?? null, stopped), mask)),
    cost: {
      input_tokens: sum((call) => call.input_tokens),
      output_tokens: sum((call) => call.output_tokens),
      // With a call of unknown price the cost is unknown.
      dollars: priced.length < calls.length ? null : sum((call) => call.dollars ?? 0),
    },
  }
}

/** Older grades have no `made`: of those only the current one is shown, as the submission describes it. */
function presentSuggestion(
  { _id, criteria, made }: GradeDetailsDoc,
  current: SubmissionDoc['grade'],
  numbers: ReadonlyMap<string, string>,
): SuggestionEntry[] {
  const isCurrent = current?.id === _id
  const of =
    made ?? (isCurrent ? { ...current, reasons: current.review_reasons, at: current.graded_at, inputs: null } : null)
  if (!of) return []
  return [
    {
      grade_id: _id,
      current: isCurrent,
      at: of.at.toISOString(),
      grader: { name: of.grader.name, version: of.grader.version },
      run_id: of.run_id,
      rubric_version: of.rubric_version,
      class_key: of.class_key,
      inputs: of.inputs,
      overall_score: of.overall_score,
      confidence: of.confidence,
      reasons: of.reasons.map(({ message }) => message),
      criteria: criteria.map(({ criterion_id, question_id, criterion_text, score, max_score, confidence }) => {
        const teacher_score = isCurrent ? current.decisions?.[criterion_id] : undefined
        return {
          criterion_id,
          question_id,
          question_number: numbers.get(question_id) ?? null,
          criterion_text,
          score,
          max_score,
          confidence,
          ...(teacher_score === undefined ? {} : { teacher_score }),
        }
      }),
    },
  ]
}

function presentCall(call: LlmCallDoc, raw: string | null, stopped: ReadonlySet<number>): LlmCallEntry {
  return {
    id: call._id,
    at: call.at.toISOString(),
    run_id: call.run_id,
    run_stopped: call.run_id !== null && stopped.has(call.run_id),
    purpose: call.purpose,
    provider: call.provider,
    model: call.model,
    prompt_version: call.prompt_version,
    inputs: call.inputs.map(({ kind, sha256, bytes }) => ({ kind, sha256, bytes })),
    outcome: call.outcome,
    error_code: call.error_code,
    raw,
    input_tokens: call.input_tokens,
    output_tokens: call.output_tokens,
    dollars: call.dollars,
    ms: call.ms,
    tries: call.tries,
  }
}

const BATCH = 50

async function* gradeHistoryLines(
  assignment: AssignmentDoc,
  services: Pick<Services, 'names'>,
): AsyncGenerator<string> {
  for await (const batch of submissionBatchesToShow(assignment, BATCH)) {
    for (const submission of batch)
      yield `${JSON.stringify(await composeGradeHistory(submission, assignment, services))}\n`
  }
}
