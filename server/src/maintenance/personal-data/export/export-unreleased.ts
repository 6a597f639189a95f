import type { ExportedData } from '@assay/shared/exported-data.ts'
import { GradeDetailsModel } from '../../../records/grading/grade.model.ts'
import { SimilarityReportModel } from '../../../records/grading/similarity-report.model.ts'
import { LlmAnswerModel } from '../../../records/llm/llm-call.model.ts'
import { AnswerReadingModel } from '../../../records/submissions/answer-reading.model.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import type { SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { TranscriptionModel } from '../../../records/submissions/transcription.model.ts'
import { isoOrNull } from './export-scope.ts'

type Unreleased = NonNullable<ExportedData['papers'][number]['unreleased']>

/** What was read, suggested and decided of a paper, whether its student may see it yet or not. */
export async function exportUnreleased(submission: SubmissionDoc): Promise<Unreleased> {
  const { _id: submission_id, assignment_id, grade, file } = submission
  const [details, answers, corrections, readings, raw, report] = await Promise.all([
    GradeDetailsModel.find({ submission_id }).sort({ _id: 1 }).lean(),
    AnswersModel.findById(submission_id).lean(),
    TranscriptionModel.find({ submission_id }).sort({ _id: 1 }).lean(),
    AnswerReadingModel.find({ file_hash: file.hash }).lean(),
    LlmAnswerModel.find({ submission_id }).sort({ _id: 1 }).lean(),
    SimilarityReportModel.findById(assignment_id, { pairs: 1 }).lean(),
  ])
  return {
    state: submission.status,
    file_name: file.name,
    identified_as: submission.student_identifier,
    suggested_score: grade?.overall_score ?? null,
    teachers_score: grade?.manual_score_override ?? null,
    summary: grade?.summary ?? '',
    teachers_feedback: grade?.manual_feedback ?? null,
    review_reasons: grade?.review_reasons.map(({ message }) => message) ?? [],
    suggestions: details.map(({ made, criteria }) => ({
      made_at: isoOrNull(made?.at),
      criteria: criteria.map(({ criterion_text, score, max_score, llm_feedback }) => ({
        criterion: criterion_text,
        points: score,
        of: max_score,
        feedback: llm_feedback ?? '',
      })),
    })),
    answers: answers?.extracted.answers.map(({ question_id, text }) => ({ question_id, text })) ?? [],
    corrections: corrections.map(({ question_id, text, read_text, at }) => ({
      question_id,
      text,
      read: read_text,
      at: at.toISOString(),
    })),
    read_by_models: readings.flatMap((reading) =>
      reading.answers.flatMap(({ lines }) => lines.map(({ text }) => text)),
    ),
    said_by_models: raw.map((answer) => answer.raw),
    alike_papers: report?.pairs.filter(({ first, second }) => [first, second].includes(submission_id)).length ?? 0,
  }
}
