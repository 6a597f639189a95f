import type { Paper } from '@assay/shared/papers.ts'
import type { Rubric } from '@assay/shared/rubrics.ts'
import { findNameRegions } from '../../grader/anonymizer/cover-names.ts'
import type { ExtractedSubmission, ReviewReason } from '../../grader/grader.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { cachedCourseStudents } from '../submissions/matching/course-students.ts'
import { readStoredPaper } from '../submissions/pages/paper-reading.service.ts'
import { findTranscriber, ownerHintsOf } from './answers.service.ts'
import { withCorrections } from './corrections.ts'
import { pagesToTranscribe, transcribePages, transcriberName, withTranscripts } from './page-transcripts.ts'
import { cachedCourseNames, createPictureMask } from './privacy/picture-mask.ts'

type SubmissionToRead = Pick<SubmissionDoc, '_id' | 'file' | 'student_id' | 'student_identifier' | 'course_id'>

/** What a submission's answers are extracted by. */
interface ExtractionInput {
  assignment: Pick<AssignmentDoc, '_id' | 'course_id'>
  blank: Paper
  rubric: Rubric
}

interface ReadSubmission {
  paper: Paper
  /** To be stored. */
  answers: { extracted: ExtractedSubmission; as_read: ExtractedSubmission | null; read_by: string | null }
}

/** How LLM requests are made: for which run, and what to do while the LLM does not answer. */
interface SubmissionLlmAccess {
  run_id: number
  guard: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Reads a submission and extracts its answers, with an LLM's transcripts where one is set up for pictures, and with the teacher's corrections.
 * Without `llmAccess` only stored transcripts are used: null when more would be needed.
 * @throws {PaperError} when the paper cannot be read; {LlmError} when the LLM is not available now
 */
export async function extractSubmissionAnswers(
  submission: SubmissionToRead,
  against: ExtractionInput,
  services: Services,
  signal: AbortSignal,
  llmAccess: SubmissionLlmAccess | null,
): Promise<ReadSubmission | null> {
  const { file } = submission
  const paper = await readStoredPaper(file.hash, services, signal)
  const lookAt = pagesToTranscribe(paper, file.handwritten).length > 0
  const chosen = lookAt ? await services.llm.chosenFor(against.assignment.course_id) : null
  if (!chosen?.pictures)
    return extractFromPaper(submission, against, { paper, readBy: null, warnings: [] }, services, signal)
  const reader = transcriberName(chosen)
  const before = await withTranscripts(paper, file, reader)
  let unread: { page: number; message: string }[] = []
  if (before.missing.length > 0) {
    if (!llmAccess) return null
    const { _id: assignment_id, course_id } = against.assignment
    const context = { course_id, assignment_id, run_id: llmAccess.run_id, submission_id: submission._id }
    const around = await cachedCourseNames(`read/${llmAccess.run_id}`, against.assignment, services)
    const mask = await createPictureMask(submission, { ...against, paper, around })
    const reading = {
      hash: file.hash,
      coveredAreas: findNameRegions(paper, against.blank, mask.identifyingLines),
      readBy: reader,
      client: services.llm.clientFor(chosen, context),
    }
    unread = await llmAccess.guard(() => transcribePages(reading, before.missing, services, signal))
  }
  const after = await withTranscripts(paper, file, reader)
  const warnings = unread.map(({ page, message }) => ({
    code: 'poor_reading' as const,
    message: `Page ${page} could not be read by the AI model. The OCR text may be wrong. ${message}`,
  }))
  return extractFromPaper(
    submission,
    against,
    { paper: after.paper, readBy: after.read > 0 ? reader : null, warnings },
    services,
    signal,
  )
}

/** Extracts a submission's answers again by a changed rubric, from the stored reading: no LLM is called. */
export async function reextractSubmissionAnswers(
  submission: Pick<SubmissionDoc, '_id' | 'file'>,
  against: ExtractionInput,
  services: Services,
  signal: AbortSignal,
): Promise<ReadSubmission['answers']> {
  const { file, _id } = submission
  const stored = await readStoredPaper(file.hash, services, signal)
  const readBy = await findTranscriber(_id)
  const paper = readBy ? (await withTranscripts(stored, file, readBy)).paper : stored
  return (await extractFromPaper(submission, against, { paper, readBy, warnings: [] }, services, signal)).answers
}

async function extractFromPaper(
  submission: Pick<SubmissionDoc, '_id' | 'file'>,
  { assignment, blank, rubric }: ExtractionInput,
  { paper, readBy, warnings: before }: { paper: Paper; readBy: string | null; warnings: ReviewReason[] },
  services: Services,
  signal: AbortSignal,
): Promise<ReadSubmission> {
  const read = await services.grader.extractAnswers(rubric, blank, paper)
  signal.throwIfAborted()
  const warnings = [...before, ...(await twoStudentsWarning(read, assignment.course_id, services))]
  const corrected = await withCorrections(submission, { ...read, warnings: [...read.warnings, ...warnings] })
  return { paper, answers: { ...corrected, read_by: readBy } }
}

/** Two papers scanned into one file: one of the two would get a grade for both, or for the other's. */
async function twoStudentsWarning(
  read: ExtractedSubmission,
  courseId: number | null,
  services: Services,
): Promise<ReviewReason[]> {
  if (courseId === null) return []
  const { told } = (await cachedCourseStudents(courseId, services)).readPaper(ownerHintsOf(read))
  if (told.length < 2) return []
  const names = told.map(({ student, page }) => `${student.full_name ?? student.username} (page ${page})`)
  const message = `This file names more than one student: ${names.join(', ')}. It may hold two papers.`
  return [{ code: 'two_students', message }]
}
