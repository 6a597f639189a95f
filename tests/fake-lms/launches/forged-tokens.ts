import { AGS_CLAIM, CLAIM, type Claims, NRPS_CLAIM } from '../lti-constants.ts'
import type { Tampering } from './launches.ts'

const set = (values: Claims): Tampering => ({ mutate: (claims) => void Object.assign(claims, values) })
const shift = (seconds: Record<string, number>): Tampering => ({
  mutate: (claims) => {
    for (const [name, by] of Object.entries(seconds)) claims[name] = Number(claims[name]) + by
  },
})

/** What no resource link launch may lack (LTI 1.3 core, 5.3; OpenID Connect core, 2). */
export const requiredClaims = [
  'iss',
  'aud',
  'sub',
  'iat',
  'exp',
  'nonce',
  `${CLAIM}/message_type`,
  `${CLAIM}/version`,
  `${CLAIM}/deployment_id`,
  `${CLAIM}/roles`,
  `${CLAIM}/resource_link`,
] as const

const without = (name: string): Tampering => ({
  mutate: (claims) => {
    delete claims[name]
  },
})

/** Id tokens that no tool may take, by what is wrong with them. */
export const forgeries: Record<string, Tampering> = {
  'for another audience': set({ aud: 'somebody-else' }),
  'for two audiences, without an authorized party': {
    mutate: (claims) => {
      claims.aud = [claims.aud, 'somebody-else']
    },
  },
  'for two audiences, authorized for the other': {
    mutate: (claims) => {
      claims.aud = [claims.aud, 'somebody-else']
      claims.azp = 'somebody-else'
    },
  },
  'from another issuer': set({ iss: 'http://127.0.0.1:1' }),
  'with another nonce': set({ nonce: 'made-up' }),
  'that has run out': shift({ iat: -7200, exp: -7200 }),
  'issued in the future': shift({ iat: 7200, exp: 7200 }),
  'issued long ago, and good for ever': shift({ iat: -7 * 86_400, exp: 86_400 }),
  'of another version': set({ [`${CLAIM}/version`]: '1.1.0' }),
  'of an unheard-of message': set({ [`${CLAIM}/message_type`]: 'LtiStartProctoring' }),
  'with roles that are no list': set({ [`${CLAIM}/roles`]: 'Instructor' }),
  'with a link that is none': set({ [`${CLAIM}/resource_link`]: 'link' }),
  'with a signature changed on the way': { signing: 'broken' },
  'signed with a key of somebody else’s': { signing: 'other-key' },
  'signed with a key nobody knows': { signing: 'unknown-kid' },
  'not signed at all': { signing: 'none' },
  'signed with the public key as a secret': { signing: 'hs256' },
  ...Object.fromEntries(requiredClaims.map((name) => [`without ${name.split('/').at(-1)}`, without(name)])),
}

/** Strange but right: a tool has to take these. */
export const unusualButValid: Record<string, Tampering> = {
  'a list of one audience': {
    mutate: (claims) => {
      claims.aud = [claims.aud]
    },
  },
  'two audiences, authorized for the tool': {
    mutate: (claims) => {
      claims.azp = claims.aud
      claims.aud = [claims.aud, 'somebody-else']
    },
  },
  'no services': {
    mutate: (claims) => {
      delete claims[AGS_CLAIM]
      delete claims[NRPS_CLAIM]
    },
  },
  'no names': {
    mutate: (claims) => {
      for (const name of ['name', 'given_name', 'family_name', 'email']) delete claims[name]
    },
  },
  'claims from elsewhere': set({ 'https://example.org/odd': { deep: [1, null, '…'] } }),
}
