import { afterEach, beforeEach, expect } from 'vitest'
import type { LaunchOptions, Reply } from '../../../tests/fake-lms/launches/launcher.ts'
import type { RefusalCode } from '../features/lti/refusals.ts'
import { LtiContextModel } from '../records/lti/context.model.ts'
import { LtiIdentityModel } from '../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../records/lti/launch.model.ts'
import { LtiLaunchLogModel } from '../records/lti/launch-log.model.ts'
import { LtiMemberModel } from '../records/lti/member.model.ts'
import { LtiResourceLinkModel } from '../records/lti/resource-link.model.ts'
import { UserModel } from '../records/people/user.model.ts'
import type { RegisteredLms } from './registered-lms.ts'

export function createTestLink({ lms, deployment }: RegisteredLms) {
  const { course, teacher } = lms.classOf(1)
  return { as: teacher, link: lms.addLink(course, { deployment, scoreMaximum: 10 }) }
}

/** A launch up to the LMS's response, before it is posted. */
export async function beginLaunch(browser: ReturnType<RegisteredLms['lms']['launcher']>, options: LaunchOptions) {
  const { login, posted } = await browser.collect(options)
  if (!posted) throw new Error(`the LMS posted no launch: ${login.text}`)
  return { login, posted }
}

const countCreatedRecords = () =>
  Promise.all(
    [UserModel, LtiIdentityModel, LtiContextModel, LtiResourceLinkModel, LtiLaunchModel, LtiMemberModel].map((model) =>
      model.countDocuments(),
    ),
  )

/** For tests of refused launches: each may create nothing but one entry in the launch log. */
export function useLaunchRefusals() {
  let before: number[] = []
  let entries = 0
  async function resetBaseline(): Promise<void> {
    before = await countCreatedRecords()
    entries = await LtiLaunchLogModel.countDocuments()
  }
  beforeEach(resetBaseline)
  afterEach(async () => {
    expect(await countCreatedRecords()).toEqual(before)
  })

  /** Expects an error page with a request id, and a matching entry in the launch log, which it returns. */
  async function expectRefusal(reply: Reply | null, code: RefusalCode, status: number, detail?: RegExp) {
    expect(reply?.status).toBe(status)
    const text = reply?.text ?? ''
    expect(reply?.headers.get('content-type')).toContain('text/html')
    expect(text).toContain('<h1>Assay could not be opened</h1>')
    expect(text).toContain(`<dd>${code}</dd>`)
    expect(text).toContain(`<dd>${reply?.headers.get('x-request-id')}</dd>`)
    expect(reply?.headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain('<script')
    const [entry, ...others] = await LtiLaunchLogModel.find().sort({ _id: 1 }).skip(entries).lean()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ outcome: 'refused', code, role: null })
    if (detail) {
      expect(entry?.detail).toMatch(detail)
      expect(text).toMatch(detail)
    }
    return entry
  }
  return { expectRefusal, resetBaseline }
}
