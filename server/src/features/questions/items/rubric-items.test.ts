import { publishAssignment } from '@assay/shared/assignments.ts'
import { overrideGrade } from '@assay/shared/grades.ts'
import type { ItemWords } from '@assay/shared/item-words.ts'
import { decideAnswers, getQuestion, type QuestionToGrade, undoQuestionChange } from '@assay/shared/questions.ts'
import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import {
  applyRubricItem,
  changeRubricItem,
  createRubricItem,
  listRubricItems,
  type RubricItem,
  removeRubricItem,
  searchCommentBank,
} from '@assay/shared/rubric-items.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { getSubmission } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { nextId } from '../../../lib/database/database.ts'
import { QuestionChangeModel } from '../../../records/grading/question-change.model.ts'
import { createTestApi, type Person } from '../../../testing/api.ts'
import {
  buildAssignment,
  buildCourse,
  buildPerson,
  correctAnswers,
  drawPaper,
  enrol,
  gradeAssignment,
  weakAnswers,
} from '../../../testing/build-course.ts'
import { useServer } from '../../../testing/server.ts'
import { completeInterruptedChanges } from '../question-changes.ts'

const server = useServer()
const api = createTestApi(server)

const missingUnit: ItemWords = { kind: 'takes', points: 2, text: 'The unit is missing.' }

/** Four papers, all with an answer to question 3, which is worth 5 points; the first is the student's. */
async function buildGraded(existing?: { instructor: Person; courseId: number }) {
  const { instructor, courseId } = existing ?? (await buildCourse(api, { students: 0 }))
  const student = await buildPerson('student', { full_name: 'Ada Byron' })
  await enrol(api, instructor, courseId, student)
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
type Built = Awaited<ReturnType<typeof buildGraded>>

const q3 = ({ assignmentId }: Built) => ({ assignmentId, questionId: 'q3' })

async function load(built: Built, as: Person = built.instructor): Promise<QuestionToGrade> {
  return (await api.as(as).send(getQuestion, { params: q3(built) })).body
}

async function addItem(built: Built, words: ItemWords = missingUnit): Promise<RubricItem> {
  const made = await api.as(built.instructor).send(createRubricItem, {
    params: q3(built),
    body: { criterion_id: 'q3', ...words },
  })
  expect(made.status).toBe(201)
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
  return api.as(built.instructor).send(decideAnswers, {
    params: q3(built),
    body: { answers, points: points === null ? null : { q3: points } },
  })
}

const change = (built: Built, { id, revision }: RubricItem, words: ItemWords, as: Person = built.instructor) =>
  api.as(as).send(changeRubricItem, { params: { ...q3(built), itemId: id }, body: { ...words, revision } })

const remove = (built: Built, { id, revision }: RubricItem) =>
  api.as(built.instructor).send(removeRubricItem, { params: { ...q3(built), itemId: id }, body: { revision } })

async function undo(built: Built, as: Person = built.instructor) {
  const question = await load(built, as)
  return api.as(as).send(undoQuestionChange, { params: { ...q3(built), changeId: question.undo?.id ?? 0 } })
}

/** Points and items of the papers in their order. */
async function state(built: Built) {
  return answersOf(await load(built), built.submissionIds).map(({ decided, items }) => [decided?.q3 ?? null, items])
}

describe('an item', () => {
  it('gives its points and words to all answers of a group, and undoing takes both away', async () => {
    const built = await buildGraded()
    const [ada = 0, ben = 0] = built.submissionIds
    const item = await addItem(built)
    expect((await apply(built, item, [ada, ben])).body).toMatchObject({ changed: [ada, ben], conflicts: [] })
    expect(await state(built)).toEqual([
      [3, [item.id]],
      [3, [item.id]],
      [null, []],
      [null, []],
    ])
    expect(await items(built)).toMatchObject([{ ...missingUnit, answers: 2 }])
    expect((await undo(built)).body).toMatchObject({ changed: [ada, ben] })
    expect(await state(built)).toEqual([
      [null, []],
      [null, []],
      [null, []],
      [null, []],
    ])
  })

  it('is taken away again, which leaves the answer undecided, or with the points typed before', async () => {
    const built = await buildGraded()
    const [ada = 0, ben = 0] = built.submissionIds
    const item = await addItem(built)
    await type(built, [ben], 4)
    await apply(built, item, [ada, ben])
    expect((await state(built)).slice(0, 2)).toEqual([
      [3, [item.id]],
      [2, [item.id]],
    ])
    await apply(built, item, [ada, ben], { applied: false })
    expect((await state(built)).slice(0, 2)).toEqual([
      [null, []],
      [4, []],
    ])
  })

  it('adds up with others, and a comment changes no points', async () => {
    const built = await buildGraded()
    const [ada = 0] = built.submissionIds
    const method = await addItem(built, { kind: 'gives', points: 3, text: 'The method is right.' })
    const result = await addItem(built, { kind: 'gives', points: 1.5, text: 'The result is right.' })
    const praise = await addItem(built, { kind: 'comment', points: 4, text: 'Neatly written.' })
    expect(praise.points).toBe(0)
    await apply(built, praise, [ada])
    expect((await state(built))[0]).toEqual([null, [praise.id]])
    await apply(built, method, [ada])
    await apply(built, result, [ada])
    expect((await state(built))[0]).toEqual([4.5, [praise.id, method.id, result.id]])
  })

  it('leaves alone what somebody else has decided or applied meanwhile', async () => {
    const built = await buildGraded()
    const [ada = 0, ben = 0, cleo = 0] = built.submissionIds
    const admin = await buildPerson('admin', { full_name: 'Grace Hopper' })
    const item = await addItem(built)
    const praise = await addItem(built, { kind: 'comment', points: 0, text: 'Well done.' })
    const seen = await load(built)
    await type(built, [ada], 1)
    await apply(built, praise, [ben], { as: admin })
    const reply = await apply(built, item, [ada, ben, cleo], { as: admin, seen })
    expect(reply.body.changed).toEqual([cleo])
    expect(reply.body.conflicts).toMatchObject([
      { submission_id: ada, decided: { q3: 1 } },
      { submission_id: ben, decided: null, items: [praise.id] },
    ])
    expect(await state(built)).toEqual([
      [1, []],
      [null, [praise.id]],
      [3, [item.id]],
      [null, []],
    ])
  })

  it('stays when the paper is graded again, unless its criterion has other points by then', async () => {
    const built = await buildGraded()
    const { assignmentId, instructor, submissionIds } = built
    const [ada = 0] = submissionIds
    const item = await addItem(built)
    const praise = await addItem(built, { kind: 'comment', points: 0, text: 'Neat.' })
    await apply(built, item, [ada])
    await apply(built, praise, [ada])
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [ada], force: true })
    expect((await state(built))[0]).toEqual([3, [item.id, praise.id]])
    const params = { assignmentId }
    const { body } = await api.as(instructor).send(getRubric, { params })
    const questions = body.rubric?.questions.map((question) =>
      question.id === 'q3'
        ? { ...question, criteria: question.criteria.map((one) => ({ ...one, points: 8 })) }
        : question,
    )
    if (!body.rubric || !questions) throw new Error('a rubric')
    const rubric = { ...body.rubric, questions }
    expect(
      (await api.as(instructor).send(saveRubric, { params, body: { version: body.version, rubric } })).status,
    ).toBe(200)
    await gradeAssignment(api, instructor, assignmentId, { submission_ids: [ada], force: true })
    expect((await state(built))[0]).toEqual([null, [praise.id]])
  })

  it('refuses more points than its criterion has, and a criterion of another question', async () => {
    const built = await buildGraded()
    const make = (criterion_id: string, points: number) =>
      api.as(built.instructor).send(createRubricItem, {
        params: q3(built),
        body: { ...missingUnit, criterion_id, points },
      })
    expect(await make('q3', 6)).toMatchObject({ status: 422, body: { message: /At most 5 points/ } })
    expect((await make('q1', 1)).status).toBe(422)
    expect(await items(built)).toEqual([])
  })
})

describe('a change of an item', () => {
  it('moves all answers that have it, with what was typed beyond its points, and is undone', async () => {
    const built = await buildGraded()
    const [ada = 0, ben = 0, cleo = 0] = built.submissionIds
    const item = await addItem(built)
    await apply(built, item, [ada, ben, cleo])
    await type(built, [ben], 3.5)
    const reply = await change(built, item, { kind: 'takes', points: 1, text: 'No unit.' })
    expect(reply.body).toMatchObject({
      changed: [ada, ben, cleo],
      item: { points: 1, text: 'No unit.', revision: 2, answers: 3 },
    })
    expect((await state(built)).map(([points]) => points)).toEqual([4, 4.5, 4, null])
    await change(built, reply.body.item as RubricItem, { kind: 'gives', points: 1, text: 'No unit.' })
    expect((await state(built)).map(([points]) => points)).toEqual([1, 1.5, 1, null])
    expect((await load(built)).undo).toMatchObject({ kind: 'item', answers: 3 })
    await undo(built)
    await undo(built)
    expect((await state(built)).map(([points]) => points)).toEqual([3, 3.5, 3, null])
    expect(await items(built)).toMatchObject([{ ...missingUnit, revision: 5 }])
  })

  it('moves a score typed in the paper’s own review, too', async () => {
    const built = await buildGraded()
    const [ada = 0] = built.submissionIds
    const item = await addItem(built)
    await apply(built, item, [ada])
    const ids = { assignmentId: built.assignmentId, submissionId: ada }
    const { body } = await api.as(built.instructor).send(getSubmission, { params: ids })
    await api.as(built.instructor).send(overrideGrade, {
      params: { ...ids, gradeId: body.grade?.id ?? 0 },
      body: { overall_score: null, human_review_notes: null, criteria: [{ criterion_id: 'q3', score: 2 }] },
    })
    expect((await state(built))[0]).toEqual([2, [item.id]])
    await change(built, item, { ...missingUnit, points: 1 })
    expect((await state(built))[0]).toEqual([3, [item.id]])
  })

  it('removes it from the answers, and undoing brings it back where nobody has decided since', async () => {
    const built = await buildGraded()
    const [ada = 0, ben = 0, cleo = 0] = built.submissionIds
    const item = await addItem(built)
    await apply(built, item, [ada, ben, cleo])
    await type(built, [cleo], 4)
    expect((await remove(built, item)).body).toMatchObject({ item: null, changed: [ada, ben, cleo] })
    expect(await items(built)).toEqual([])
    // Without any item, an answer is undecided; what was typed stays, as much above or below all points.
    expect((await load(built)).answers.map(({ decided }) => decided?.q3 ?? null)).toEqual([null, null, 5, null])
    const removal = (await load(built)).undo?.id ?? 0
    await type(built, [ben], 1)
    await api.as(built.instructor).send(undoQuestionChange, { params: { ...q3(built), changeId: removal } })
    expect((await state(built)).map(([points]) => points)).toEqual([3, 1, 4, null])
  })

  it('can be undone where no answer has the item', async () => {
    const built = await buildGraded()
    await remove(built, await addItem(built))
    expect((await load(built)).undo).toMatchObject({ kind: 'item', answers: 0 })
    await undo(built)
    expect(await items(built)).toMatchObject([missingUnit])
  })

  it('conflicts with one that came first', async () => {
    const built = await buildGraded()
    const [ada = 0] = built.submissionIds
    const admin = await buildPerson('admin')
    const item = await addItem(built)
    await apply(built, item, [ada])
    const both = await Promise.all([
      change(built, item, { ...missingUnit, points: 1 }),
      change(built, item, { ...missingUnit, points: 3 }, admin),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    const [stored] = await items(built)
    expect((await state(built))[0]?.[0]).toBe(5 - (stored?.points ?? 0))
    // The first cannot be undone over a later one.
    const first = await load(built)
    if (stored) await change(built, stored, { ...missingUnit, points: 0.5 }, admin)
    const params = { ...q3(built), changeId: first.undo?.id ?? 0 }
    if (first.undo?.kind === 'item')
      expect((await api.as(built.instructor).send(undoQuestionChange, { params })).status).toBe(409)
    expect((await state(built))[0]?.[0]).toBe(4.5)
  })

  it('is completed where the process died in the middle', async () => {
    const built = await buildGraded()
    const [ada = 0, ben = 0] = built.submissionIds
    const item = await addItem(built)
    await apply(built, item, [ada, ben])
    const reply = await change(built, item, { ...missingUnit, points: 1 })
    // As it was stored before the item and the second answer were changed.
    const stored = await QuestionChangeModel.findById(reply.body.change_id).lean()
    await undo(built)
    const _id = await nextId('question_changes')
    if (stored?.kind !== 'item') throw new Error('a change of an item')
    await QuestionChangeModel.create({ ...stored, _id, state: 'applying', item: { ...stored.item, revision: 4 } })
    const completed = await completeInterruptedChanges(server.running.services.log)
    expect(completed).toHaveLength(1)
    expect(await state(built)).toEqual([
      [4, [item.id]],
      [4, [item.id]],
      [null, []],
      [null, []],
    ])
    expect(await items(built)).toMatchObject([{ points: 1, revision: 4 }])
    expect(await completeInterruptedChanges(server.running.services.log)).toEqual([])
  })

  it('reaches students whose grade is released, who read the items’ words', async () => {
    const built = await buildGraded()
    const [ada = 0] = built.submissionIds
    const { assignmentId, instructor, student } = built
    await api.as(instructor).send(publishAssignment, { params: { assignmentId } })
    const read = async () => {
      const { body } = await api.as(student).send(getStudentAssignment, { params: { assignmentId } })
      const criterion = body.criterion_grades.at(-1)
      return [criterion?.score, criterion?.feedback, criterion?.feedback_by]
    }
    const suggested = await read()
    const item = await addItem(built)
    const praise = await addItem(built, { kind: 'comment', points: 0, text: 'Neat.' })
    await apply(built, praise, [ada])
    await apply(built, item, [ada])
    expect(await read()).toEqual([3, 'The unit is missing.\nNeat.', 'teacher'])
    const changed = await change(built, item, { ...missingUnit, text: 'Which unit?' })
    expect(await read()).toEqual([3, 'Which unit?\nNeat.', 'teacher'])
    await remove(built, changed.body.item as RubricItem)
    await remove(built, praise)
    expect(await read()).toEqual(suggested)
  })
})

describe('the comment bank', () => {
  it('finds items of the course’s other assignments by their words or question, the most used first', async () => {
    const first = await buildGraded()
    const [ada = 0, ben = 0] = first.submissionIds
    await addItem(first, { kind: 'comment', points: 0, text: 'Look at the naïve sum again.' })
    await apply(first, await addItem(first), [ada, ben])
    const second = await buildGraded(first)
    const search = async (words: string, as: Person = second.instructor) =>
      api.as(as).send(searchCommentBank, { params: q3(second), query: { search: words } })
    expect((await search('')).body).toMatchObject([{ ...missingUnit, answers: 2 }, { kind: 'comment' }])
    expect((await search('UNIT missing')).body).toHaveLength(1)
    expect((await search('naive')).body).toHaveLength(1)
    expect((await search('12 times')).body).toHaveLength(2)
    expect((await search('nothing of the kind')).body).toEqual([])
    const stranger = await buildPerson('instructor')
    expect((await search('', stranger)).status).toBe(404)
    const elsewhere = await buildGraded()
    const reply = await api.as(elsewhere.instructor).send(searchCommentBank, { params: q3(elsewhere), query: {} })
    expect(reply.body).toEqual([])
    // What the question has itself is offered already.
    await addItem(second)
    expect((await search('unit')).body).toEqual([])
  })
})
