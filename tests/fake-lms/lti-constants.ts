/** Names of the LTI 1.3 standard, as they stand on the wire. */
export const CLAIM = 'https://purl.imsglobal.org/spec/lti/claim'
export const DL_CLAIM = 'https://purl.imsglobal.org/spec/lti-dl/claim'
export const AGS_CLAIM = 'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint'
export const NRPS_CLAIM = 'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'

export const SCOPE = {
  lineItems: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem',
  lineItemsRead: 'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
  results: 'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly',
  scores: 'https://purl.imsglobal.org/spec/lti-ags/scope/score',
  members: 'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
} as const

export type Scope = (typeof SCOPE)[keyof typeof SCOPE]
export const allScopes: readonly Scope[] = Object.values(SCOPE)

export const MEDIA = {
  lineItem: 'application/vnd.ims.lis.v2.lineitem+json',
  lineItems: 'application/vnd.ims.lis.v2.lineitemcontainer+json',
  score: 'application/vnd.ims.lis.v1.score+json',
  results: 'application/vnd.ims.lis.v2.resultcontainer+json',
  members: 'application/vnd.ims.lti-nrps.v2.membershipcontainer+json',
} as const

export type MessageType = 'LtiResourceLinkRequest' | 'LtiDeepLinkingRequest' | 'LtiSubmissionReviewRequest'

export type Claims = Record<string, unknown>

const membership = 'http://purl.imsglobal.org/vocab/lis/v2/membership'

/** The most common ones; any other is given as its full URI. */
const contextRoles: Record<string, string> = {
  Instructor: `${membership}#Instructor`,
  TeachingAssistant: `${membership}/Instructor#TeachingAssistant`,
  ContentDeveloper: `${membership}#ContentDeveloper`,
  Administrator: `${membership}#Administrator`,
  Manager: `${membership}#Manager`,
  Learner: `${membership}#Learner`,
  Mentor: `${membership}#Mentor`,
  Member: `${membership}#Member`,
}

export type Role = string

export const roleUri = (role: Role): string => contextRoles[role] ?? role

/** `Learner` for the learner's URI, as in Moodle's roster. Other vocabularies' roles stay as they are. */
export function shortRole(role: Role): string {
  const uri = roleUri(role)
  return uri.startsWith(membership) ? (uri.split('#').at(-1) ?? uri) : uri
}

export const ROLE = {
  institutionStudent: 'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Student',
  institutionFaculty: 'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Faculty',
  institutionAdministrator: 'http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator',
  systemUser: 'http://purl.imsglobal.org/vocab/lis/v2/system/person#User',
  systemAdministrator: 'http://purl.imsglobal.org/vocab/lis/v2/system/person#Administrator',
  testUser: 'http://purl.imsglobal.org/vocab/lti/system/person#TestUser',
} as const

export type Privacy = 'public' | 'name_only' | 'email_only' | 'anonymous'
