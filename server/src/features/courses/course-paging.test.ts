import { createCourse, listCourses, listMyCourses } from '@assay/shared/courses.ts'
import { Paging } from '@assay/shared/http/ids.ts'
import { deleteSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { buildPerson } from '../../testing/build-course.ts'
import { useTestApi } from '../../testing/server.ts'

const { api } = useTestApi()

describe('a list', () => {
  it('defaults to skip 0 and limit 100, and allows 500 at most', async () => {
    expect(Paging.parse({})).toEqual({ skip: 0, limit: 100 })
    const teacher = api.as(await buildPerson('instructor'))
    for (let i = 0; i < 101; i++) await teacher.send(createCourse, { body: { name: `Course ${i}` } })
    for (const endpoint of [listCourses, listMyCourses]) {
      const first = await teacher.send(endpoint)
      expect(first.body).toHaveLength(100)
      expect(first.headers.get('X-Total-Count')).toBe('101')
      expect((await teacher.send(endpoint, { query: { skip: 100 } })).body).toHaveLength(1)
      expect((await teacher.send(endpoint, { query: { limit: 501 } })).status).toBe(422)
    }
  })
})

it('creates a course at the address with a trailing slash too, as the specification writes it', async () => {
  const teacher = api.as(await buildPerson('instructor'))
  const reply = await teacher.send(
    { ...createCourse, path: '/courses/' },
    { body: { name: 'Biology 8b', description: null, course_code: null } },
  )
  expect(reply.status).toBe(201)
  expect(reply.body).toMatchObject({ name: 'Biology 8b', description: null, course_code: null })
})

it('deletes nothing for an empty selection', async () => {
  const teacher = api.as(await buildPerson('instructor'))
  const refused = await teacher.send(deleteSubmissions, {
    params: { assignmentId: 1 },
    body: { submission_ids: [] },
  })
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('No submissions selected for deletion.')
})
