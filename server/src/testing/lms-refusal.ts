import { afterEach, beforeEach, expect } from 'vitest'
import type { LaunchOptions, Reply } from '../../../tests/fake-lms/launcher.ts'
import { LtiDoorLogModel } from '../features/lti/door/door-log.model.ts'
import { LtiContextModel } from '../features/lti/launches/context.model.ts'
import { LtiIdentityModel } from '../features/lti/launches/identity.model.ts'
import { LtiLaunchModel } from '../features/lti/launches/launch.model.ts'
import { LtiLinkModel } from '../features/lti/launches/link.model.ts'
import type { RefusalCode } from '../features/lti/refusals.ts'
import { LtiMemberModel } from '../features/lti/roster/member.model.ts'
import { UserModel } from '../features/users/user.model.ts'
import type { School } from './lms-launch.ts'

/** A link of a fresh course, and its teacher. */
export function lessonIn({ lms, deployment }: School) {
  const { course, teacher } = lms.classOf(1)
  return { as: teacher, link: lms.addLink(course, { deployment, scoreMaximum: 10 }) }
}

/** A launch up to the LMS's answer, which is not posted yet. */
export async function beginLaunch(browser: ReturnType<School['lms']['launcher']>, options: LaunchOptions) {
  const { login, posted } = await browser.collect(options)
  if (!posted) throw new Error(`the LMS posts nothing: ${login.text}`)
  return { login, posted }
}

const created = () =>
  Promise.all(
    [UserModel, LtiIdentityModel, LtiContextModel, LtiLinkModel, LtiLaunchModel, LtiMemberModel].map(
      (model) => model.countDocuments(),
    ),
  )

/** For a file of refusals: each leaves nothing behind but one line in the door's log. */
export function useRefusals() {
  let before: number[] = []
  let entries = 0
  /** What was there, or was let in, so far is no refusal's. */
  async function lookNow(): Promise<void> {
    before = await created()
    entries = await LtiDoorLogModel.countDocuments()
  }
  beforeEach(lookNow)
  afterEach(async () => {
    expect(await created()).toEqual(before)
  })

  /** A page in words with a request id, and one line in the door's log that says the same. Returns that line. */
  async function expectRefusal(reply: Reply | null, code: RefusalCode, status: number, detail?: RegExp) {
    expect(reply?.status).toBe(status)
    const text = reply?.text ?? ''
    expect(reply?.headers.get('content-type')).toContain('text/html')
    expect(text).toContain('<h1>Assay did not open</h1>')
    expect(text).toContain(`<dd>${code}</dd>`)
    expect(text).toContain(`<dd>${reply?.headers.get('x-request-id')}</dd>`)
    expect(reply?.headers.get('cache-control')).toBe('no-store')
    expect(text).not.toContain('<script')
    const [entry, ...others] = await LtiDoorLogModel.find().sort({ _id: 1 }).skip(entries).lean()
    expect(others).toEqual([])
    expect(entry).toMatchObject({ outcome: 'refused', code, role: null })
    if (detail) {
      expect(entry?.detail).toMatch(detail)
      expect(text).toMatch(detail)
    }
    return entry
  }
  return { expectRefusal, lookNow }
}
