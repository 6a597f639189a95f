import { unpublishAssignment } from '@assay/shared/assignments.ts'
import { expect, it } from 'vitest'
import { buildManySubmissions } from '../../../testing/build-many-submissions.ts'
import { buildLmsClass, useFakeLmss } from '../../../testing/lms-class.ts'
import { linkAssignment, linkStudent } from '../../../testing/lti-records.ts'
import { useTestApi } from '../../../testing/server.ts'

/** No ledger update within this test. */
const { api, server } = useTestApi({}, { scorePollMs: 3_600_000 })
const lmsOf = useFakeLmss()

it('counts what was just released as waiting, for the students of each LMS course alone, and not what is hidden', async () => {
  const lms = await lmsOf('canvas')
  const one = await buildLmsClass(server, api, lms, { students: 3 })
  const { assignmentId, context, course, link, teacher } = one
  const test = await linkStudent(one.platform, context, lms.addTestStudent(course))
  const studentIds = [{ id: test._id, username: `test-${assignmentId}` }]
  await buildManySubmissions(assignmentId, 1, { studentIds, graded: 1 })
  await buildManySubmissions(assignmentId, 1, { graded: 1 })
  const second = lms.addLink(course, { deployment: link.deployment, scoreMaximum: 10 })
  await linkAssignment(lms, context, second, assignmentId)
  const gone = lms.addLink(course, { deployment: link.deployment, scoreMaximum: 10 })
  await linkAssignment(lms, context, gone, assignmentId, { gone: { at: new Date(), message: 'Gone.' } })

  expect(await one.scores()).toMatchObject({ published: false, links: [{ counts: { waiting: 0 } }, {}, {}] })
  await one.publish()
  expect(await one.scores()).toMatchObject({
    published: true,
    on_release: 0,
    links: [
      { counts: { waiting: 3, sent: 0, off: 0 }, problem: null, next_try_at: null },
      { counts: { waiting: 3 } },
      { counts: { waiting: 0 } },
    ],
  })
  await api.as(teacher).send(unpublishAssignment, { params: { assignmentId } })
  expect(await one.scores()).toMatchObject({ published: false, links: [{ counts: { waiting: 0 } }, {}, {}] })
})
