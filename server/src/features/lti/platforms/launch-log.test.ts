import { createPlatform, listLaunchLog } from '@assay/shared/lti/lti-platforms.ts'
import mongoose from 'mongoose'
import { expect, it } from 'vitest'
import { LtiLaunchLogModel } from '../../../records/lti/launch-log.model.ts'
import { buildPerson } from '../../../testing/build-course.ts'
import { useTestApi } from '../../../testing/server.ts'

const { api } = useTestApi()

it('lists the newest first, also of one millisecond and of an older version of Assay, and each once', async () => {
  const admin = api.as(await buildPerson('admin'))
  const site = 'https://launch-log.invalid'
  const platform = await admin.send(createPlatform, {
    body: {
      name: 'Our Moodle',
      lms: 'moodle',
      issuer: site,
      client_id: 'launch-log',
      auth_endpoint: `${site}/auth`,
      token_endpoint: `${site}/token`,
      jwks_url: `${site}/certs`,
    },
  })
  if (platform.status !== 201) throw new Error(platform.text)
  const platform_id = platform.body.id
  const at = new Date()
  const ids = [1, 2, 3, 4].map(() => new mongoose.Types.ObjectId())
  const entry = {
    at,
    platform_id,
    step: 'launch',
    outcome: 'accepted',
    code: null,
    detail: null,
    via: 'cookie',
    role: 'student',
    issuer: site,
    client_id: 'launch-log',
    deployment_id: '1',
  }
  const [a, b, c, d] = ids
  for (const _id of [c, a, 7_000_001, d, b]) await LtiLaunchLogModel.collection.insertOne({ ...entry, _id } as never)

  const listed: string[] = []
  for (const skip of [0, 2, 4]) {
    const page = await admin.send(listLaunchLog, { params: { platformId: platform_id }, query: { skip, limit: 2 } })
    if (page.status !== 200) throw new Error(page.text)
    listed.push(...page.body.map(({ id }) => id))
  }
  expect(listed).toEqual([...ids.toReversed().map(String), '7000001'])
})
