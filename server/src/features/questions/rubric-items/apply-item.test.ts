import { getRubric, saveRubric } from '@assay/shared/rubric-endpoints.ts'
import { createRubricItem, searchCommentBank } from '@assay/shared/rubric-items.ts'
import { describe, expect, it } from 'vitest'
import { buildPerson, gradeAssignment } from '../../../testing/build-course.ts'
import { createItemCalls, missingUnit } from '../../../testing/rubric-items.ts'
import { createTestApi, type Person, useServer } from '../../../testing/server.ts'

const api = createTestApi(useServer())
const { q3, buildGraded, load, addItem, items, apply, type, change, undo, state } = createItemCalls(api)

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
      api
        .as(built.instructor)
        .send(createRubricItem, { params: q3(built), body: { ...missingUnit, criterion_id, points } })
    expect(await make('q3', 6)).toMatchObject({ status: 422, body: { message: /At most 5 points/ } })
    expect((await make('q1', 1)).status).toBe(422)
    expect(await items(built)).toEqual([])
  })

  it('goes when the points are withdrawn, but for comments, and comes back when that is undone', async () => {
    const built = await buildGraded()
    const [ada = 0] = built.submissionIds
    const item = await addItem(built)
    const praise = await addItem(built, { kind: 'comment', points: 0, text: 'Neat.' })
    await apply(built, item, [ada])
    await apply(built, praise, [ada])
    await type(built, [ada], 1)
    await type(built, [ada], null)
    expect((await state(built))[0]).toEqual([null, [praise.id]])
    await undo(built)
    expect((await state(built))[0]).toEqual([1, [item.id, praise.id]])
    await change(built, item, { ...missingUnit, points: 1 })
    expect((await state(built))[0]).toEqual([2, [item.id, praise.id]])
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
    await addItem(second)
    expect((await search('unit')).body).toEqual([])
  })
})
