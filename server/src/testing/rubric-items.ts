import type { ItemWords } from '@assay/shared/item-words.ts'
import { decideAnswers, getQuestion, type QuestionToGrade, undoQuestionChange } from '@assay/shared/questions.ts'
import {
  applyRubricItem,
  changeRubricItem,
  createRubricItem,
  listRubricItems,
  type RubricItem,
  removeRubricItem,
} from '@assay/shared/rubric-items.ts'
import {
  buildAssignment,
  buildCourse,
  buildStudent,
  correctAnswers,
  drawPaper,
  gradeAssignment,
  weakAnswers,
} from './build-course.ts'
import type { Api, Person } from './server.ts'

export const missingUnit: ItemWords = { kind: 'takes', points: 2, text: 'The unit is missing.' }

interface Built {
  assignmentId: number
  submissionIds: number[]
  instructor: Person
  courseId: number
  student: Person
}

export function createItemCalls(api: Api) {
  async function buildGraded(existing?: { instructor: Person; courseId: number }): Promise<Built> {
    const { instructor, courseId } = existing ?? (await buildCourse(api, { students: 0 }))
    const student = await buildStudent(courseId, { full_name: 'Ada Byron' })
    const papers: [string, string[]][] = [
      ['Ada Byron', correctAnswers],
      ['Ben Okri', [correctAnswers[0] ?? '', 'B', '144.0']],
      ['Cleo Sand', weakAnswers],
      ['Dan Brown', ['Ice has less density than water.', 'C', '144']],
    ]
    const files = await Promise.all(
      papers.map(async ([full_name, answers]) => ({
        name: `${full_name === 'Ada Byron' ? student.username : full_name}.pdf`,
        bytes: await drawPaper({ full_name }, answers),
      })),
    )
    const built = await buildAssignment(api, { instructor, courseId }, files)
    await gradeAssignment(api, instructor, built.assignmentId)
    return { ...built, instructor, courseId, student }
  }
  const q3 = ({ assignmentId }: Built) => ({ assignmentId, questionId: 'q3' })

  async function load(built: Built, as: Person = built.instructor): Promise<QuestionToGrade> {
    return (await api.as(as).send(getQuestion, { params: q3(built) })).body
  }

  async function addItem(built: Built, words: ItemWords = missingUnit): Promise<RubricItem> {
    const made = await api
      .as(built.instructor)
      .send(createRubricItem, { params: q3(built), body: { criterion_id: 'q3', ...words } })
    if (made.status !== 201) throw new Error(made.text)
    return made.body
  }

  async function items(built: Built): Promise<RubricItem[]> {
    return (await api.as(built.instructor).send(listRubricItems, { params: q3(built) })).body
  }

  const answersOf = ({ answers }: QuestionToGrade, ids: number[]) =>
    ids.map((id) => {
      const answer = answers.find(({ submission_id }) => submission_id === id)
      return { submission_id: id, decided: answer?.decided ?? null, items: answer?.items ?? [] }
    })

  /** As who has the question open as it is now, or as `seen`. */
  async function apply(
    built: Built,
    item: RubricItem,
    ids: number[],
    { applied = true, as = built.instructor, seen }: { applied?: boolean; as?: Person; seen?: QuestionToGrade } = {},
  ) {
    const answers = answersOf(seen ?? (await load(built, as)), ids)
    return api.as(as).send(applyRubricItem, { params: { ...q3(built), itemId: item.id }, body: { answers, applied } })
  }

  async function type(built: Built, ids: number[], points: number | null) {
    const answers = answersOf(await load(built), ids)
    return api
      .as(built.instructor)
      .send(decideAnswers, { params: q3(built), body: { answers, points: points === null ? null : { q3: points } } })
  }

  const change = (built: Built, { id, revision }: RubricItem, words: ItemWords, as: Person = built.instructor) =>
    api.as(as).send(changeRubricItem, { params: { ...q3(built), itemId: id }, body: { ...words, revision } })

  const remove = (built: Built, { id, revision }: RubricItem) =>
    api.as(built.instructor).send(removeRubricItem, { params: { ...q3(built), itemId: id }, body: { revision } })

  async function undo(built: Built, as: Person = built.instructor) {
    const question = await load(built, as)
    return api.as(as).send(undoQuestionChange, { params: { ...q3(built), changeId: question.undo?.id ?? 0 } })
  }

  async function state(built: Built) {
    return answersOf(await load(built), built.submissionIds).map(({ decided, items }) => [decided?.q3 ?? null, items])
  }

  return { q3, buildGraded, load, addItem, items, apply, type, change, remove, undo, state }
}
