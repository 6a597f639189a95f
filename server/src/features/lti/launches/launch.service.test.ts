import { afterEach, expect, it, vi } from 'vitest'
import { LtiLaunchModel } from '../../../records/lti/launch.model.ts'
import { LtiPlatformModel } from '../../../records/lti/platform.model.ts'
import { SessionModel } from '../../../records/people/session.model.ts'
import { UserModel } from '../../../records/people/user.model.ts'
import { launchToHandoff, type RegisteredLms, startRegisteredLms } from '../../../testing/registered-lms.ts'
import { useServer } from '../../../testing/server.ts'
import { endSessionsOfUser } from '../../auth/session.service.ts'
import { endSessionsOfPlatform } from './launch.service.ts'

const server = useServer()
let school: RegisteredLms
afterEach(async () => {
  vi.restoreAllMocks()
  await school.lms.close()
})

async function entered() {
  school = await startRegisteredLms(server)
  const { course, teacher } = school.lms.classOf(0)
  const link = school.lms.addLink(course, { deployment: school.deployment })
  const { launchId, exchange } = await launchToHandoff(school, { as: teacher, link })
  const launch = await LtiLaunchModel.findById(launchId).lean()
  if (!launch) throw new Error('it launched')
  return { exchange, userId: launch.user_id }
}

function meanwhile(when: 'before' | 'after', work: () => Promise<unknown>): void {
  const store = SessionModel.insertMany.bind(SessionModel) as (...given: unknown[]) => Promise<never>
  vi.spyOn(SessionModel, 'insertMany').mockImplementationOnce(async (...given: unknown[]) => {
    if (when === 'before') await work()
    const stored = await store(...given)
    if (when === 'after') await work()
    return stored
  })
}

it.each(['before', 'after'] as const)('begins none for an LMS deactivated just %s it', async (when) => {
  const { exchange, userId } = await entered()
  meanwhile(when, async () => {
    await LtiPlatformModel.updateOne({ _id: school.platform._id }, { $set: { status: 'off' } })
    await endSessionsOfPlatform(school.platform._id, server.running.services)
  })
  const reply = await exchange()
  expect(reply).toMatchObject({ status: 403, body: { detail: expect.stringContaining('deactivated') } })
  expect(await SessionModel.countDocuments({ user_id: userId })).toBe(0)
})

it.each(['before', 'after'] as const)('begins none for an account deactivated just %s it', async (when) => {
  const { exchange, userId } = await entered()
  meanwhile(when, async () => {
    await UserModel.updateOne({ _id: userId }, { $set: { account: 'deactivated' } })
    await endSessionsOfUser(userId, server.running.services)
  })
  const reply = await exchange()
  expect(reply).toMatchObject({ status: 403, body: { error_code: 'account_deactivated' } })
  expect(await SessionModel.countDocuments({ user_id: userId })).toBe(0)
})
