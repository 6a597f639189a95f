import { expect, it } from 'vitest'
import { LtiContextModel } from '../../../records/lti/context.model.ts'
import { LtiResourceLinkModel } from '../../../records/lti/resource-link.model.ts'
import { launchAndSignIn, useRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'

const server = useServer()
const school = useRegisteredLms(server)

const HOUR_MS = 60 * 60 * 1000

it('updates what an LMS sends about its course and link, and when they were last opened to the hour', async () => {
  const { lms, deployment } = school()
  const { course, students } = lms.classOf(2)
  const link = lms.addLink(course, { deployment, title: 'Quiz 1' })
  const [first, second] = students
  if (!first || !second) throw new Error('two students')
  const stored = async () => ({
    context: await LtiContextModel.findOne({ context_id: course.id }).lean(),
    link: await LtiResourceLinkModel.findOne({ resource_link_id: link.id }).lean(),
  })
  await launchAndSignIn(school(), { as: first, link })
  const before = await stored()
  expect(before).toMatchObject({ context: { title: course.title }, link: { title: 'Quiz 1' } })

  await launchAndSignIn(school(), { as: second, link })
  expect(await stored()).toEqual(before)

  course.title = 'Biology 2'
  link.title = 'Quiz 2'
  await launchAndSignIn(school(), { as: first, link })
  expect(await stored()).toMatchObject({ context: { title: 'Biology 2' }, link: { title: 'Quiz 2' } })

  const earlier = new Date(Date.now() - HOUR_MS)
  await LtiContextModel.updateMany({ context_id: course.id }, { $set: { launched_at: earlier } })
  await LtiResourceLinkModel.updateMany({ resource_link_id: link.id }, { $set: { launched_at: earlier } })
  await launchAndSignIn(school(), { as: first, link })
  const after = await stored()
  expect(after.context?.launched_at.getTime()).toBeGreaterThan(earlier.getTime())
  expect(after.link?.launched_at.getTime()).toBeGreaterThan(earlier.getTime())
})
