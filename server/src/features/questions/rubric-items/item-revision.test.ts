import { publishAssignment } from '@assay/shared/assignments.ts'
import { undoQuestionChange } from '@assay/shared/questions.ts'
import type { RubricItem } from '@assay/shared/rubric-items.ts'
import { getStudentAssignment } from '@assay/shared/students.ts'
import { describe, expect, it } from 'vitest'
import { nextId } from '../../../lib/database/database.ts'
import { QuestionChangeModel } from '../../../records/grading/question-change.model.ts'
import { buildPerson, decideGrade } from '../../../testing/build-course.ts'
import { createItemCalls, missingUnit } from '../../../testing/rubric-items.ts'
import { createTestApi, useServer } from '../../../testing/server.ts'
import { completeInterruptedChanges } from '../question-changes.ts'

const server = useServer()
const api = createTestApi(server)
const { q3, buildGraded, load, addItem, items, apply, type, change, remove, undo, state } = createItemCalls(api)

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
    await decideGrade(api.as(built.instructor), ids, { criteria: [{ criterion_id: 'q3', score: 2 }] })
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
    const stored = await QuestionChangeModel.findById(reply.body.change_id).lean()
    await undo(built)
    const _id = await nextId('question_changes')
    if (stored?.kind !== 'item') throw new Error('a change of an item')
    await QuestionChangeModel.create({
      ...stored,
      _id,
      state: 'applying',
      process: 'that died',
      item: { ...stored.item, revision: 4 },
    })
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
