import { describe, expect, it } from 'vitest'
import type { LmsKind } from '../lti/lti.ts'
import { derivePlatformValues, type LmsInputs } from './derive-platform-values.ts'

const given = (more: Partial<LmsInputs>): LmsInputs => ({
  site: '',
  client_id: '',
  deployment: '',
  environment: 'production',
  tool_number: '',
  ...more,
})
const from = (lms: LmsKind, more: Partial<LmsInputs>) => derivePlatformValues(lms, given(more))

describe('values derived from an LMS’s address', () => {
  it('Moodle: its own addresses, also where it is in a folder, whatever was copied along', () => {
    const values = {
      name: 'school.example',
      issuer: 'https://school.example/moodle',
      auth_endpoint: 'https://school.example/moodle/mod/lti/auth.php',
      token_endpoint: 'https://school.example/moodle/mod/lti/token.php',
      token_audience: null,
      jwks_url: 'https://school.example/moodle/mod/lti/certs.php',
      origins: ['https://school.example'],
    }
    expect(from('moodle', { site: 'https://school.example/moodle' })).toEqual(values)
    expect(from('moodle', { site: ' school.example/moodle/?redirect=0 ' })).toEqual(values)
  })

  it('Canvas: Instructure’s for everybody, with the school’s own address for frames', () => {
    const site = 'https://school.instructure.com'
    expect(from('canvas', { site })).toEqual({
      name: 'school.instructure.com',
      issuer: 'https://canvas.instructure.com',
      auth_endpoint: 'https://sso.canvaslms.com/api/lti/authorize_redirect',
      token_endpoint: 'https://sso.canvaslms.com/login/oauth2/token',
      token_audience: null,
      jwks_url: 'https://sso.canvaslms.com/api/lti/security/jwks',
      origins: [site],
    })
    expect(from('canvas', { site, environment: 'beta' })).toMatchObject({
      issuer: 'https://canvas.beta.instructure.com',
      jwks_url: 'https://sso.beta.canvaslms.com/api/lti/security/jwks',
    })
    expect(from('canvas', { site: 'https://canvas.school.example', environment: 'own' })).toMatchObject({
      issuer: 'https://canvas.instructure.com',
      token_endpoint: 'https://canvas.school.example/login/oauth2/token',
    })
  })

  it('Blackboard: Anthology’s portal, its keys by the application ID', () => {
    expect(from('blackboard', { site: 'learn.school.example', client_id: 'ab-12' })).toMatchObject({
      issuer: 'https://blackboard.com',
      auth_endpoint: 'https://developer.blackboard.com/api/v1/gateway/oidcauth',
      token_endpoint: 'https://developer.blackboard.com/api/v1/gateway/oauth2/jwttoken',
      jwks_url: 'https://developer.blackboard.com/api/v1/management/applications/ab-12/jwks.json',
      origins: ['https://learn.school.example'],
    })
  })

  it('Brightspace: tokens from D2L, with an audience of their own', () => {
    expect(from('d2l', { site: 'https://school.brightspace.com/d2l/home' })).toMatchObject({
      issuer: 'https://school.brightspace.com',
      auth_endpoint: 'https://school.brightspace.com/d2l/lti/authenticate',
      token_endpoint: 'https://auth.brightspace.com/core/connect/token',
      token_audience: 'https://api.brightspace.com/auth/token',
      jwks_url: 'https://school.brightspace.com/d2l/.well-known/jwks',
    })
  })

  it('Sakai: by the tool’s number', () => {
    expect(from('sakai', { site: 'https://sakai.school.example', tool_number: '12' })).toMatchObject({
      issuer: 'https://sakai.school.example',
      auth_endpoint: 'https://sakai.school.example/imsoidc/lti13/oidc_auth',
      token_endpoint: 'https://sakai.school.example/imsblis/lti13/token/12',
      jwks_url: 'https://sakai.school.example/imsblis/lti13/keyset',
    })
  })

  it.each(['', 'm', 'https://', 'not an address'])('nothing yet while “%s” is all there is', (site) => {
    for (const lms of ['moodle', 'd2l', 'sakai', 'other'] as const)
      expect(from(lms, { site })).toMatchObject({ name: '', issuer: '', token_endpoint: '', origins: [] })
  })
})
