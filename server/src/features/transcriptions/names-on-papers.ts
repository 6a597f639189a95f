import { AnswersModel } from '../../records/submissions/answers.model.ts'

interface NameOnPaper {
  _id: number
  laid: { name_on_paper: string | null }
}

const fields = { 'laid.name_on_paper': 1 } as const

/** The names read on papers, by submission; papers without a readable name, or not read yet, have none. */
export async function namesOnPapers(submissionIds: number[]): Promise<Map<number, string>> {
  return byId(await AnswersModel.find({ _id: { $in: submissionIds } }, fields).lean<NameOnPaper[]>())
}

export async function namesOnPapersOf(assignmentId: number): Promise<Map<number, string>> {
  return byId(await AnswersModel.find({ assignment_id: assignmentId }, fields).lean<NameOnPaper[]>())
}

const byId = (read: NameOnPaper[]) =>
  new Map(read.flatMap(({ _id, laid }): [number, string][] => (laid.name_on_paper ? [[_id, laid.name_on_paper]] : [])))
