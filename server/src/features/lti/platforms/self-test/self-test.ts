import { type SelfTest, type SelfTestName, selfTestNames } from '@assay/shared/lti/lti-self-test.ts'
import { parseJson } from '@assay/shared/rules/parse-json.ts'
import { z } from 'zod'
import { isDuplicateKeyError, nextId } from '../../../../lib/database/database.ts'
import { type BackgroundWork, defineJob } from '../../../../lib/jobs/job.ts'
import { LtiLaunchLogModel, newestFirst } from '../../../../records/lti/launch-log.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { type SelfTestDoc, SelfTestModel } from '../../../../records/lti/self-test.model.ts'
import type { Services } from '../../../../services.ts'
import { PlatformRequestError, platformFairShareKey, requestPlatform } from '../../platform-client/platform-request.ts'
import { getPrivateKey } from '../platform-keys.ts'
import { toolValues } from '../registration/tool-registration.ts'
import { callChecks } from './call-checks.ts'
import { failed, logChecks, passed, type SelfTestChecker, type SelfTestCheckers, warning } from './log-checks.ts'

const KeyIds = z.object({ keys: z.array(z.object({ kid: z.string() })) })

const ownChecks: SelfTestCheckers = {
  async status({ platform }) {
    if (platform.status === 'pending')
      return failed(
        'It is waiting for approval, so every launch is refused.',
        'Check its values and approve it on this page.',
      )
    if (platform.status === 'off')
      return failed('It is deactivated, so every launch is refused.', 'Reactivate it on this page.')
    return platform.proposed
      ? warning(
          'It is active. New values from its last registration are waiting for approval.',
          'Approve them on this page if they are correct.',
        )
      : passed('It is approved and active.')
  },

  async address({ platform, services: { config }, signal }) {
    const { https, jwks_url, public_url } = toolValues(config.publicUrl)
    const plain = https
      ? null
      : `${public_url} does not begin with https://. Most LMSs reject such an address, and browsers block its cookies inside an LMS.`
    const fix = 'Set PUBLIC_URL on the server to the https address people use.'
    try {
      const { status, body } = await requestPlatform(jwks_url, { signal }, config)
      const read = KeyIds.safeParse(parseJson(body))
      if (status !== 200 || !read.success)
        return failed(
          `${jwks_url} answered with status ${status} and no keys, so another program is running there.`,
          'PUBLIC_URL must lead to this Assay server; a proxy in front of it must forward /lti.',
        )
      if (!read.data.keys.some(({ kid }) => kid === platform.kid))
        return failed(
          `${jwks_url} publishes no key for this LMS, so it leads to another Assay server.`,
          'PUBLIC_URL must lead to this Assay server and its database.',
        )
      return plain
        ? warning(`${plain} Assay can reach it.`, fix)
        : passed(`${public_url} leads to this server, and its keys can be fetched.`)
    } catch (cause) {
      if (!(cause instanceof PlatformRequestError)) throw cause
      // A server behind a proxy often cannot call its own public name, so this proves nothing.
      if (cause.problem === 'private_address' || cause.problem === 'not_https')
        return warning(
          plain ?? `${public_url} is a private address, to which Assay may not connect. It was not checked.`,
          fix,
        )
      return warning(
        `${cause.message} This was checked from the server itself; the LMS may still be able to reach it.`,
        `Open ${jwks_url} in a browser outside your network. If it shows no keys, fix PUBLIC_URL or the proxy.`,
      )
    }
  },

  async signing_key({ platform, services: { config } }) {
    const key = await getPrivateKey(platform.kid, config.secretKey)
    if (!key)
      return failed(
        'It cannot be decrypted because SECRET_KEY has changed.',
        'Create a new key on this page. An LMS that has the key set URL picks it up automatically.',
      )
    return passed(`It works and is published with the ID ${platform.kid}.`)
  },
}

const checkers: SelfTestCheckers = { ...ownChecks, ...callChecks, ...logChecks }
const checks = selfTestNames.flatMap((name): [SelfTestName, SelfTestChecker][] => {
  const check = checkers[name]
  return check ? [[name, check]] : []
})

const jobKind = { name: 'lti-self-test', payload: z.object({ testId: z.number() }) }

export async function beginSelfTest(
  platform: LtiPlatformDoc,
  { clock, jobs }: Pick<Services, 'clock' | 'jobs'>,
): Promise<SelfTestDoc> {
  const test: SelfTestDoc = {
    _id: await nextId('lti_self_tests'),
    platform_id: platform._id,
    state: 'running',
    started_at: clock.now(),
    finished_at: null,
    checks: [],
  }
  try {
    await SelfTestModel.create(test)
  } catch (cause) {
    const running = isDuplicateKeyError(cause)
      ? await SelfTestModel.findOne({ platform_id: platform._id, state: 'running' }).lean()
      : null
    if (!running) throw cause
    return running
  }
  await SelfTestModel.deleteMany({ platform_id: platform._id, _id: { $ne: test._id } })
  await jobs.add(jobKind, [jobFor(test)])
  return test
}

const jobFor = ({ _id, platform_id }: Pick<SelfTestDoc, '_id' | 'platform_id'>) => ({
  key: `${_id}`,
  group: `lti-platform:${platform_id}`,
  fairShareKey: platformFairShareKey(platform_id),
  payload: { testId: _id },
})

export function createSelfTests(services: Services): BackgroundWork & { resume(): Promise<void> } {
  const job = defineJob({
    ...jobKind,
    attempts: 2,
    pool: 'lms',
    async run({ testId }, signal) {
      const test = await SelfTestModel.findOne({ _id: testId, state: 'running' }).lean()
      const platform = test && (await LtiPlatformModel.findById(test.platform_id).lean())
      if (!test) return
      if (!platform) return void (await SelfTestModel.deleteOne({ _id: testId }))
      const log = await LtiLaunchLogModel.find({ platform_id: platform._id, step: { $ne: 'registration' } })
        .sort(newestFirst)
        .limit(100)
        .lean()
      const done = new Set(test.checks.map(({ name }) => name))
      for (const [name, check] of checks) {
        signal.throwIfAborted()
        if (done.has(name)) continue
        const found = await check({ platform, log, services, signal }).catch((error: unknown) => {
          signal.throwIfAborted()
          services.log.error({ err: error, check: name }, 'a check of the self-test failed')
          return failed(
            'This could not be checked because of an error in Assay.',
            'Tell the server operator. See Assay’s log for details.',
          )
        })
        await SelfTestModel.updateOne({ _id: testId, state: 'running' }, { $push: { checks: { name, ...found } } })
      }
      await end(testId)
    },
    onFailed: ({ testId }) => end(testId),
  })
  const end = async (testId: number) => {
    await SelfTestModel.updateOne(
      { _id: testId, state: 'running' },
      { $set: { state: 'done', finished_at: services.clock.now() } },
    )
  }
  return {
    jobs: [job],
    /** The process may have died before queueing it. */
    async resume() {
      const open = await SelfTestModel.find({ state: 'running' }, { platform_id: 1 }).lean()
      await services.jobs.add(jobKind, open.map(jobFor))
    },
  }
}

export const presentSelfTest = ({ _id, state, started_at, finished_at, checks: found }: SelfTestDoc): SelfTest => ({
  id: _id,
  state,
  started_at: started_at.toISOString(),
  finished_at: finished_at?.toISOString() ?? null,
  checks: found,
})
