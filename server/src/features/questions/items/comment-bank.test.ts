import { searchCommentBank } from '@assay/shared/rubric-items.ts'
import { describe, expect, it } from 'vitest'
import { buildPerson } from '../../../testing/build-course.ts'
import { createItemCalls, missingUnit } from '../../../testing/rubric-items.ts'
import { createTestApi, type Person, useServer } from '../../../testing/server.ts'

const api = createTestApi(useServer())
const { q3, buildGraded, addItem, apply } = createItemCalls(api)

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
