import type { ExportedData } from '@assay/shared/exported-data.ts'
import { GradeDetailsModel, type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { RegradeModel } from '../../../records/grading/regrade.model.ts'
import { SimilarityReportModel } from '../../../records/grading/similarity-report.model.ts'
import { LlmAnswerModel } from '../../../records/llm/llm-call.model.ts'
import { AnswerReadingModel } from '../../../records/submissions/answer-reading.model.ts'
import { AnswersModel } from '../../../records/submissions/answers.model.ts'
import type { EarlierAttempt, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import { TranscriptionModel } from '../../../records/submissions/transcription.model.ts'
import { papersOf } from '../erasure/papers-of-person.ts'
import { type ExportScope, findCourseName, findShownAssignment, isoOrNull, named } from './export-scope.ts'

type Paper = ExportedData['papers'][number]

/** Their papers, with what other models hold of each. */
export async function exportPapers(scope: ExportScope): Promise<Paper[]> {
  const submissions = await papersOf(scope.ids)
  scope.submissionIds.push(...submissions.map(({ _id }) => _id))
  const papers: Paper[] = []
  for (const submission of submissions) {
    const assignment = await findShownAssignment(scope, submission.assignment_id)
    if (!assignment) continue
    const fileName = `${assignment.title} ${submission._id}`
    const { created_at, handed_in_by = 'teacher', late = false, attempts = [] } = submission
    const paper = await exportFile(
      { file: submission.file, handed_in_at: created_at, handed_in_by, late },
      fileName,
      scope,
    )
    const earlier_papers: Paper['earlier_papers'] = []
    for (const attempt of attempts) {
      // A teacher may have given the submission to them from somebody else.
      const isTheirs = attempt.student_id == null || scope.ids.includes(attempt.student_id)
      if (isTheirs) earlier_papers.push(await exportFile(attempt, fileName, scope))
    }
    const released = { _id: submission._id, student_id: { $in: scope.ids } }
    const release = assignment.status === 'published' ? await ReleaseModel.findOne(released).lean() : null
    papers.push({
      submission_id: submission._id,
      assignment: named(assignment),
      course: await findCourseName(submission.course_id),
      paper,
      earlier_papers,
      released_grade: release && exportRelease(release, scope.addFile('graded', fileName, { submission, release })),
      regrade_requests: await exportRegrades(submission._id, scope.ids),
      ...(scope.scope === 'school' ? { unreleased: await exportUnreleased(submission) } : {}),
    })
  }
  return papers
}

async function exportFile(
  { file, handed_in_at, handed_in_by, late }: EarlierAttempt,
  fileName: string,
  { services, addFile }: ExportScope,
): Promise<Paper['paper']> {
  const { hash, name, size, photos } = file
  return {
    name: handed_in_by === 'student' ? name : null,
    bytes: size,
    handed_in_at: handed_in_at.toISOString(),
    handed_in_by,
    late,
    path: (await services.files.size(hash)) === null ? null : addFile('papers', fileName, { hash }),
    ...(photos && { photos: photos.map(({ hash, type }) => addFile('photos', fileName, { hash }, type)) }),
  }
}

function exportRelease(release: ReleaseDoc, path: string): Paper['released_grade'] {
  return {
    score: release.final_score,
    released_at: release.released_at.toISOString(),
    feedback: release.feedback,
    feedback_by: release.feedback_by,
    criteria: release.criteria.map(
      ({ criterion_text, score, max_score, llm_feedback, item_feedback, teacher_feedback }) => ({
        criterion: criterion_text,
        points: score,
        of: max_score,
        feedback: [...(item_feedback ?? []), teacher_feedback, llm_feedback].filter(
          (text): text is string => text != null && text !== '',
        ),
      }),
    ),
    path,
  }
}

async function exportRegrades(submission_id: number, ids: number[]): Promise<Paper['regrade_requests']> {
  const requests = await RegradeModel.find({ submission_id, student_id: { $in: ids } })
    .sort({ _id: 1 })
    .lean()
  return requests.map(({ asked_at, reason, state, answer, answered_at }) => ({
    asked_at: asked_at.toISOString(),
    reason,
    state,
    answer,
    answered_at: isoOrNull(answered_at),
  }))
}

/** What was read, suggested and decided of a paper, whether its student may see it yet or not. */
async function exportUnreleased(submission: SubmissionDoc): Promise<Paper['unreleased']> {
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
