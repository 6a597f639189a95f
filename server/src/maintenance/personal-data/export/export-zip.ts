import { readFile } from 'node:fs/promises'
import type { ExportedData } from '@assay/shared/personal-data.ts'
import { percentOf } from '@assay/shared/rules/points.ts'
import {
  createUniqueNames,
  drawGradedPaper,
  loadReleasedGrade,
} from '../../../features/graded-papers/graded-paper.service.ts'
import { releaseFor } from '../../../features/grades/release.service.ts'
import { zipStream } from '../../../lib/storage/zip-stream.ts'
import { AssignmentModel } from '../../../records/assignments/assignment.model.ts'
import { EnrollmentModel } from '../../../records/courses/course.model.ts'
import { GradeDetailsModel, type ReleaseDoc, ReleaseModel } from '../../../records/grading/grade.model.ts'
import { RegradeModel } from '../../../records/grading/regrade.model.ts'
import { SimilarityReportModel } from '../../../records/grading/similarity-report.model.ts'
import { LlmAnswerModel } from '../../../records/llm/llm-call.model.ts'
import type { UserDoc } from '../../../records/people/user.model.ts'
import { PenMarkModel } from '../../../records/submissions/pen-mark.model.ts'
import { peopleOf } from '../../../records/submissions/people-of-paper.ts'
import type { EarlierAttempt, SubmissionDoc } from '../../../records/submissions/submission.model.ts'
import {
  AnswerReadingModel,
  AnswersModel,
  TranscriptionModel,
} from '../../../records/submissions/transcription.model.ts'
import type { Services } from '../../../services.ts'
import { sharedPapersOf, solePapersOf } from '../erasure/erase-papers.ts'
import { accountIdsOf } from '../erasure/erasure-preview.ts'
import { inventory, modelNamed } from '../personal-data-inventory.ts'
import {
  type ExportScope,
  exportAccount,
  type FileSource,
  findCourseName,
  findShownAssignment,
  isoOrNull,
  MOST_ENTRIES,
  named,
  ownsAddress,
  type Sections,
} from './export-records.ts'

/** Files are made one by one, whatever their total size. */
export async function exportPerson(
  user: UserDoc,
  scope: ExportedData['scope'],
  services: Services,
  signal: AbortSignal,
): Promise<AsyncGenerator<Uint8Array>> {
  const uniqueName = createUniqueNames()
  const files = new Map<string, FileSource>()
  const export_: ExportScope = {
    scope,
    user,
    ids: await accountIdsOf(user),
    submissionIds: [],
    services,
    addFile(folder, name, source, ending) {
      const path = `${folder}/${uniqueName(name, ending)}`
      files.set(path, source)
      return path
    },
  }
  const data = await collectData(export_)
  return zipStream(zipContent(data, files, export_, signal), services.clock.now())
}

/** Activity is looked up by the papers' numbers. */
async function collectData(export_: ExportScope): Promise<ExportedData> {
  const { scope, user, services } = export_
  const data: ExportedData = {
    format: 'assay-personal-data/1',
    exported_at: services.clock.now().toISOString(),
    scope,
    account: exportAccount(user),
    joined_accounts: [],
    sessions: [],
    courses: [],
    extensions: [],
    groups: [],
    papers: await exportPapers(export_),
    photo_drafts: [],
    lms: { identities: [], memberships: [], launches: [], scores: [] },
    ...(scope === 'school' ? { roster_rows: [] } : {}),
    activity: [],
    left_out: [],
  }
  const sections: Sections = { ...data, ...data.lms, roster_rows: data.roster_rows ?? [] }
  for (const [modelName, entry] of Object.entries(inventory))
    if (entry.export?.to === 'own' || scope === 'school')
      await entry.export?.addTo?.(sections, export_, modelNamed(modelName))
  data.left_out.push(...(await whatIsLeftOut(export_, data.activity.length)))
  return data
}

async function whatIsLeftOut(export_: ExportScope, entries: number): Promise<ExportedData['left_out']> {
  const { scope } = export_
  const forAddress = {
    what: 'What teachers keep for the owner of the email address',
    why: 'Nobody has confirmed yet that the address belongs to this account. Confirm it, and download again.',
  }
  const unreleased = {
    what: 'Assignments that are not published, and suggestions, feedback and grades that are not released',
    why: 'Your teachers have not released them. Ask your school for them.',
  }
  return [
    { what: 'The password', why: 'Only a hash of it is stored, from which nobody can tell it.' },
    { what: 'Comments an instructor wrote on others’ papers', why: 'They are part of those students’ data.' },
    { what: 'Backups', why: 'Whoever runs this server makes them. Ask there.' },
    ...(scope === 'own' ? [unreleased] : []),
    ...(ownsAddress(export_) ? [] : [forAddress]),
    ...(await titlesLeftOut(export_)).map((title) => ({
      what: `Papers of “${title}”`,
      why: 'Names are hidden while it is graded. Show names first, or let the student download their own data.',
    })),
    ...(entries === MOST_ENTRIES
      ? [{ what: 'Older activity', why: `Only the newest ${MOST_ENTRIES.toLocaleString('en')} entries are here.` }]
      : []),
  ]
}

/** With hidden names nobody says whether a paper of theirs is among them. */
async function titlesLeftOut({ scope, ids }: ExportScope): Promise<string[]> {
  if (scope === 'own') return []
  const courses: number[] = await EnrollmentModel.distinct('course_id', { user_id: { $in: ids } })
  const hiding = { course_id: { $in: courses }, 'anonymous.names_hidden': true }
  const found = await AssignmentModel.find(hiding, { title: 1 }).sort({ _id: 1 }).lean()
  return found.map(({ title }) => title)
}

async function* zipContent(
  data: ExportedData,
  files: Map<string, FileSource>,
  export_: ExportScope,
  signal: AbortSignal,
) {
  yield { name: 'data.json', bytes: Buffer.from(`${JSON.stringify(data, null, 2)}\n`) }
  for (const [name, source] of files) {
    signal.throwIfAborted()
    const bytes = await readSource(source, export_, signal)
    if (bytes) yield { name, bytes }
  }
}

async function readSource(source: FileSource, { services }: ExportScope, signal: AbortSignal) {
  if ('hash' in source) {
    if ((await services.files.size(source.hash)) === null) return null
    return readFile(await services.files.localPath(source.hash))
  }
  const { submission, release } = source
  const assignment = await AssignmentModel.findById(submission.assignment_id).lean()
  if (!assignment) return null
  const grade = await loadReleasedGrade(assignment, submission, release)
  return drawGradedPaper(grade, submission.file.hash, services, { signal })
}

type Paper = ExportedData['papers'][number]

async function exportPapers(scope: ExportScope): Promise<Paper[]> {
  const submissions = [...(await solePapersOf(scope.ids)), ...(await sharedPapersOf(scope.ids))]
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
      // A teacher may have reassigned the submission to them.
      const { student_id = null, partner_ids = [] } = attempt
      const isTheirs = student_id === null || peopleOf({ student_id, partner_ids }).some((id) => scope.ids.includes(id))
      if (isTheirs) earlier_papers.push(await exportFile(attempt, fileName, scope))
    }
    const released = assignment.status === 'published' ? await ReleaseModel.findById(submission._id).lean() : null
    const [release = null] = released ? scope.ids.flatMap((id) => releaseFor(released, id) ?? []) : []
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
    score: release.points && percentOf(release.points),
    points: release.points,
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

async function exportUnreleased(submission: SubmissionDoc): Promise<Paper['unreleased']> {
  const { _id: submission_id, assignment_id, grade, file } = submission
  const [details, answers, corrections, pen, readings, raw, report] = await Promise.all([
    GradeDetailsModel.find({ submission_id }).sort({ _id: 1 }).lean(),
    AnswersModel.findById(submission_id).lean(),
    TranscriptionModel.find({ submission_id }).sort({ _id: 1 }).lean(),
    PenMarkModel.find({ submission_id }).sort({ created_at: 1 }).lean(),
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
    pen_marks: pen.map(({ content }) => ({
      kind: content.kind,
      page: content.page,
      text: 'text' in content ? content.text : '',
    })),
    read_by_models: readings.flatMap((reading) =>
      reading.answers.flatMap(({ lines }) => lines.map(({ text }) => text)),
    ),
    said_by_models: raw.map((answer) => answer.raw),
    alike_papers: report?.pairs.filter(({ first, second }) => [first, second].includes(submission_id)).length ?? 0,
  }
}
