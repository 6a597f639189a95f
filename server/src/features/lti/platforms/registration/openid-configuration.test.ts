import { createRegistrationLink } from '@assay/shared/lti/lti-registration.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeLms, startFakeLms } from '../../../../../../tests/fake-lms/fake-lms.ts'
import { LtiLaunchLogModel } from '../../../../records/lti/launch-log.model.ts'
import { LtiPlatformModel } from '../../../../records/lti/platform.model.ts'
import { buildPerson } from '../../../../testing/build-course.ts'
import { type Person, useTestApi } from '../../../../testing/server.ts'
import { issuerMatchesHost } from './openid-configuration.ts'

const { api, server } = useTestApi({ LTI_PRIVATE_ADDRESSES: 'off' })
let admin: Person
let lms: FakeLms
beforeAll(async () => {
  admin = await buildPerson('admin')
  lms = await startFakeLms()
})
afterAll(() => lms?.close())

describe('where LMSs must be public and speak https', () => {
  it.each([
    ['plain http', () => lms.configurationUrl, /https:\/\//],
    ['this machine', () => lms.configurationUrl.replace('http:', 'https:'), /private address/],
    ['this machine by name', () => 'https://localhost/.well-known/openid-configuration', /private address/],
    ['an address of the network inside', () => 'https://10.1.2.3/openid', /private address/],
    ['the cloud’s own data', () => 'https://169.254.169.254/latest/meta-data', /private address/],
    ['IPv6 for this machine', () => 'https://[::1]/openid', /private address/],
    ['IPv4 inside IPv6', () => 'https://[::ffff:127.0.0.1]/openid', /private address/],
  ])('a configuration on %s is not asked for, and nothing is created', async (_, address, words) => {
    const made = await api.as(admin).send(createRegistrationLink)
    const query = new URLSearchParams({ openid_configuration: address(), registration_token: 'x' })
    const response = await fetch(`${server.running.url}${new URL(made.body.url).pathname}?${query}`)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('The LMS gave an address to which Assay may not connect.')
    const [line] = await LtiLaunchLogModel.find().sort({ _id: -1 }).limit(1).lean()
    expect(line).toMatchObject({ step: 'registration', code: 'registration_address' })
    expect(line?.detail).toMatch(words)
    expect(await LtiPlatformModel.countDocuments()).toBe(0)
    expect(lms.requestLog.requests).toEqual([])
  })
})

describe('an issuer', () => {
  const matches = (issuer: string, by: string) => issuerMatchesHost(issuer, new URL(by))

  it('is on the site that serves it', () => {
    expect(matches('https://lms.example/moodle', 'https://lms.example/moodle/mod/lti/openid.php')).toBe(true)
    expect(matches('https://lms.example', 'https://other.example/openid')).toBe(false)
    expect(matches('https://lms.example', 'http://lms.example/openid')).toBe(false)
    expect(matches('https://lms.example', 'https://lms.example:8443/openid')).toBe(false)
  })

  it('may be that of all schools where Canvas or Blackboard itself serves it', () => {
    const canvas = 'https://canvas.instructure.com'
    expect(matches(canvas, 'https://sso.canvaslms.com/api/lti/security/openid-configuration')).toBe(true)
    expect(matches(canvas, 'https://school.instructure.com/api/lti/security/openid-configuration')).toBe(true)
    expect(matches(canvas, 'https://evilinstructure.com/openid')).toBe(false)
    expect(matches(canvas, 'https://instructure.com.evil.example/openid')).toBe(false)
    expect(matches(canvas, 'http://school.instructure.com/openid')).toBe(false)
    expect(matches('https://blackboard.com', 'https://developer.blackboard.com/api/v1/openid')).toBe(true)
    expect(matches('https://blackboard.com', 'https://school.instructure.com/openid')).toBe(false)
  })
})
