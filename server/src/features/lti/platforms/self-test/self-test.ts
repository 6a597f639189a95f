import { type SelfTest, type SelfTestName, selfTestNames } from '@assay/shared/lti/lti-self-test.ts'
import { z } from 'zod'
import { isDuplicateKeyError, nextId } from '../../../../lib/database/database.ts'
import type { BackgroundWork } from '../../../../lib/jobs/background-work.ts'
import { defineJob } from '../../../../lib/jobs/job.ts'
import { LtiLaunchLogModel, newestFirst } from '../../../../records/lti/launch-log.model.ts'
import { type LtiPlatformDoc, LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { type SelfTestDoc, SelfTestModel } from '../../../../records/lti/self-test.model.ts'
import type { Services } from '../../../../services.ts'
import { platformFairShareKey } from '../../platform-client/platform-fair-share.ts'
import { callChecks } from './call-checks.ts'
import { logChecks } from './log-checks.ts'
import { ownChecks } from './own-checks.ts'
import { failed, type SelfTestChecker, type SelfTestCheckers } from './self-test-check.ts'

const checkers: SelfTestCheckers = { ...ownChecks, ...callChecks, ...logChecks }
const checks = selfTestNames.flatMap((name): [SelfTestName, SelfTestChecker][] => {
  const check = checkers[name]
  return check ? [[name, check]] : []
})

const jobKind = { name: 'lti-self-test', payload: z.object({ testId: z.number() }) }

/** Starts a self-test, or returns the running one. */
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

export function lastSelfTest(platformId: number): Promise<SelfTestDoc | null> {
  return SelfTestModel.findOne({ platform_id: platformId }).sort({ _id: -1 }).lean()
}

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
    /** For a process that died between storing a self-test and queueing it. */
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
