import { z } from 'zod'
import { fullNameOf, nameClaims, optional, SingleLineFromLms, WebUrl } from './lms-text.ts'

const LTI = 'https://purl.imsglobal.org/spec/lti/claim'

const text = z.string().min(1).max(2000)
const id = z.string().min(1).max(255)
const Flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((word) => word === 'true')])
const Custom = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String).catch(''))

/** LTI 1.3 core, 5.3, 5.4; AGS, NRPS, deep linking, submission review. */
export const LaunchClaims = z.object({
  iss: text,
  sub: id,
  aud: z.union([id, z.array(id).min(1).max(20)]),
  azp: optional(id),
  nonce: id,
  iat: z.number(),
  exp: z.number(),
  ...nameClaims,
  [`${LTI}/message_type`]: z.enum(['LtiResourceLinkRequest', 'LtiDeepLinkingRequest', 'LtiSubmissionReviewRequest']),
  [`${LTI}/version`]: z.literal('1.3.0'),
  [`${LTI}/deployment_id`]: id,
  [`${LTI}/target_link_uri`]: optional(text),
  [`${LTI}/resource_link`]: optional(
    z.object({ id, title: optional(SingleLineFromLms(200)), description: optional(z.string()) }),
  ),
  [`${LTI}/roles`]: z.array(z.string().max(500)).max(100),
  [`${LTI}/context`]: optional(
    z.object({ id, label: optional(SingleLineFromLms(200)), title: optional(SingleLineFromLms(200)) }),
  ),
  [`${LTI}/launch_presentation`]: optional(z.object({ return_url: optional(WebUrl) })),
  [`${LTI}/custom`]: optional(Custom),
  [`${LTI}/for_user`]: optional(z.object({ user_id: id })),
  'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': optional(
    z.object({ context_memberships_url: WebUrl }),
  ),
  /** Course Groups Service 1.0, 2.2. */
  'https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice': optional(z.object({ context_groups_url: WebUrl })),
  'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': optional(
    z.object({ scope: z.array(z.string()).catch([]), lineitems: optional(WebUrl), lineitem: optional(WebUrl) }),
  ),
  'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings': optional(
    z.object({
      deep_link_return_url: WebUrl,
      accept_types: z.array(z.string()),
      accept_presentation_document_targets: optional(z.array(z.string())),
      accept_multiple: optional(Flag),
      accept_lineitem: optional(Flag),
      data: optional(z.string()),
    }),
  ),
})
export type LaunchClaims = z.output<typeof LaunchClaims>

export function launchFactsOf(claims: LaunchClaims) {
  return {
    issuer: claims.iss,
    sub: claims.sub,
    name: fullNameOf(claims),
    email: claims.email ?? null,
    messageType: claims[`${LTI}/message_type`],
    deploymentId: claims[`${LTI}/deployment_id`],
    targetLinkUri: claims[`${LTI}/target_link_uri`] ?? null,
    resourceLink: claims[`${LTI}/resource_link`] ?? null,
    roles: claims[`${LTI}/roles`],
    context: claims[`${LTI}/context`] ?? null,
    presentation: claims[`${LTI}/launch_presentation`] ?? null,
    custom: claims[`${LTI}/custom`] ?? {},
    forUser: claims[`${LTI}/for_user`] ?? null,
    namesAndRoles: claims['https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice'] ?? null,
    groups: claims['https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice'] ?? null,
    assignmentAndGrades: claims['https://purl.imsglobal.org/spec/lti-ags/claim/endpoint'] ?? null,
    deepLinking: claims['https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings'] ?? null,
  }
}
export type LaunchFacts = ReturnType<typeof launchFactsOf>
