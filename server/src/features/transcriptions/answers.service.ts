import type { ExtractedSubmission, OwnerHint } from '../../grader/grader.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import { type AnswersDoc, AnswersModel } from '../../records/submissions/transcription.model.ts'

export const findAnswers = (submissionId: number): Promise<AnswersDoc | null> =>
  AnswersModel.findById(submissionId).lean()

export const findAllAnswers = (submissionIds: number[]): Promise<AnswersDoc[]> =>
  AnswersModel.find({ _id: { $in: submissionIds } }).lean()

/** Without places, which are most of the data. */
export function findAnswerWords(
  submissionIds: number[],
): Promise<Pick<AnswersDoc, '_id' | 'extracted' | 'printed_for'>[]> {
  return AnswersModel.find({ _id: { $in: submissionIds } }, { 'extracted.answers.evidence': 0, as_read: 0 }).lean()
}

/** One at a time, as a class's answers take much memory. */
export function streamAnswers(submissionIds: number[]): AsyncIterable<AnswersDoc> {
  return AnswersModel.find({ _id: { $in: submissionIds } })
    .lean()
    .cursor()
}

interface OwnerFields {
  _id: number
  extracted: Pick<ExtractedSubmission, 'name_on_paper' | 'owner_hints'>
  printed_for?: AnswersDoc['printed_for']
}

export async function namesOnPapersOf(assignment_id: number): Promise<Map<number, string>> {
  const read = await AnswersModel.find({ assignment_id }, { 'extracted.name_on_paper': 1 }).lean<OwnerFields[]>()
  return new Map(
    read.flatMap(({ _id, extracted }): [number, string][] =>
      extracted.name_on_paper ? [[_id, extracted.name_on_paper]] : [],
    ),
  )
}

export interface OwnerOnPaper {
  name: string | null
  hints: OwnerHint[]
  printedFor: number | null
}

export async function ownersOnPapers(submissionIds: number[]): Promise<Map<number, OwnerOnPaper>> {
  const fields = { 'extracted.name_on_paper': 1, 'extracted.owner_hints': 1, printed_for: 1 }
  const read = await AnswersModel.find({ _id: { $in: submissionIds } }, fields).lean<OwnerFields[]>()
  return new Map(read.map((one) => [one._id, ownerOnPaper(one)]))
}

export const ownerOnPaper = ({ extracted, printed_for }: Omit<OwnerFields, '_id'>): OwnerOnPaper => ({
  name: extracted.name_on_paper,
  hints: ownerHintsOf(extracted),
  printedFor: printed_for?.student_id ?? null,
})

export async function printedForStudents(
  assignment_id: number,
): Promise<{ submissionId: number; fileHash: string; studentId: number }[]> {
  const read = await AnswersModel.find({ assignment_id }, { file_hash: 1, printed_for: 1 }).lean()
  return read.flatMap(({ _id, file_hash, printed_for }) =>
    printed_for ? [{ submissionId: _id, fileHash: file_hash, studentId: printed_for.student_id }] : [],
  )
}

/** Papers read by an earlier version have a name alone. */
export const ownerHintsOf = ({ name_on_paper, owner_hints }: OwnerFields['extracted']): OwnerHint[] =>
  owner_hints ?? (name_on_paper ? [{ kind: 'name', text: name_on_paper, page: 1, ocr: false }] : [])

const idsOf = (found: { _id: number }[]) => found.map(({ _id }) => _id)

export const submissionsExtractedBy = async (assignment_id: number, rubric_version: number): Promise<number[]> =>
  idsOf(await AnswersModel.find({ assignment_id, rubric_version }, { _id: 1 }).sort({ _id: 1 }).lean())

export async function filterExtractedBy(submissionIds: number[], rubric_version: number): Promise<number[]> {
  const filter = { _id: { $in: submissionIds }, rubric_version }
  return idsOf(await AnswersModel.find(filter, { _id: 1 }).sort({ _id: 1 }).lean())
}

export async function storeAnswers(
  { _id, assignment_id, file }: Pick<SubmissionDoc, '_id' | 'assignment_id' | 'file'>,
  answers: Omit<AnswersDoc, '_id' | 'assignment_id' | 'file_hash'>,
): Promise<void> {
  const set = { assignment_id, file_hash: file.hash, ...answers }
  await AnswersModel.updateOne({ _id }, { $set: set }, { upsert: true })
}

export async function updateAnswers(
  { _id, file }: Pick<SubmissionDoc, '_id' | 'file'>,
  answers: Omit<AnswersDoc, '_id' | 'assignment_id' | 'file_hash'>,
): Promise<void> {
  await AnswersModel.updateOne({ _id, file_hash: file.hash }, { $set: answers })
}

export async function deleteAnswersOfOldFile(submissionId: number, hash: string | undefined): Promise<void> {
  await AnswersModel.deleteOne({ _id: submissionId, file_hash: { $ne: hash ?? '' } })
}

const staleAnswers = (assignment_id: number, version: number) => ({ assignment_id, rubric_version: { $ne: version } })

export const submissionsWithStaleAnswers = async (assignmentId: number, version: number): Promise<number[]> =>
  idsOf(await AnswersModel.find(staleAnswers(assignmentId, version), { _id: 1 }).sort({ _id: 1 }).lean())

export const hasStaleAnswers = async (assignmentId: number, version: number, except: number[]): Promise<boolean> =>
  (await AnswersModel.exists({ ...staleAnswers(assignmentId, version), _id: { $nin: except } })) !== null

export async function fileOfStaleAnswers(
  submissionId: number,
  assignmentId: number,
  version: number,
): Promise<string | null> {
  const stale = { _id: submissionId, ...staleAnswers(assignmentId, version) }
  return (await AnswersModel.findOne(stale, { file_hash: 1 }).lean())?.file_hash ?? null
}

export async function deleteStaleAnswers(submissionId: number, assignmentId: number, version: number): Promise<void> {
  await AnswersModel.deleteOne({ _id: submissionId, ...staleAnswers(assignmentId, version) })
}
