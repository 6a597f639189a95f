import { z } from 'zod'

/** Documented formats, to validate what we write. */

const https = z.url({ protocol: /^https$/ })

const ltiScopes = z.enum([
  'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem',
  'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
  'https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly',
  'https://purl.imsglobal.org/spec/lti-ags/scope/score',
  'https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly',
])

/** Canvas's placements, and the message types each supports (“Placements Overview”). */
const both = ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest']
const placements: Record<string, string[]> = {
  account_navigation: ['LtiResourceLinkRequest'],
  assignment_selection: both,
  collaboration: both,
  course_navigation: ['LtiResourceLinkRequest'],
  editor_button: ['LtiDeepLinkingRequest'],
  homework_submission: ['LtiDeepLinkingRequest'],
  link_selection: both,
  migration_selection: ['LtiDeepLinkingRequest'],
  submission_type_selection: both,
}

const CanvasPlacement = z
  .strictObject({
    placement: z.enum(Object.keys(placements)),
    message_type: z.enum(both),
    text: z.string().min(1),
    icon_url: https,
    target_link_uri: https,
    selection_width: z.number().int().positive().optional(),
    selection_height: z.number().int().positive().optional(),
    /** For navigation placements (“Navigation Tools”). */
    default: z.enum(['enabled', 'disabled']).optional(),
    visibility: z.enum(['public', 'members', 'admins']).optional(),
  })
  .refine(({ placement, message_type }) => placements[placement]?.includes(message_type), {
    message: 'this placement does not take this message',
  })
  .refine((one) => one.placement.endsWith('_navigation') || (!one.default && !one.visibility), {
    message: 'only navigation has a default and a visibility',
  })

/** A developer key's configuration (“Configuring LTI Advantage Tools”, “Anatomy of a JSON configuration”). */
export const CanvasConfiguration = z.strictObject({
  title: z.string().min(1),
  description: z.string().min(1),
  oidc_initiation_url: https,
  target_link_uri: https,
  public_jwk_url: https,
  scopes: z.array(ltiScopes),
  custom_fields: z.record(z.string(), z.string()),
  extensions: z
    .array(
      z.strictObject({
        platform: z.literal('canvas.instructure.com'),
        domain: z.string().regex(/^[a-z0-9.:-]+$/),
        tool_id: z.string(),
        privacy_level: z.enum(['public', 'name_only', 'email_only', 'anonymous']),
        settings: z.strictObject({
          text: z.string(),
          icon_url: https,
          selection_width: z.number().int().positive(),
          selection_height: z.number().int().positive(),
          placements: z.array(CanvasPlacement).min(1),
        }),
      }),
    )
    .length(1),
})

const canvasOnly = z
  .string()
  .regex(/^https:\/\/canvas\.instructure\.com\/lti\/(course_navigation\/default_enabled|visibility)$/)

const Message = z
  .object({
    type: z.enum(['LtiResourceLinkRequest', 'LtiDeepLinkingRequest', 'LtiSubmissionReviewRequest']),
    target_link_uri: https,
    label: z.string(),
    icon_uri: https,
    placements: z.array(z.string()).min(1).optional(),
  })
  .catchall(z.union([z.boolean(), z.enum(['admins', 'members', 'public'])]))
  .superRefine((message, context) => {
    const known = ['type', 'target_link_uri', 'label', 'icon_uri', 'placements']
    for (const name of Object.keys(message))
      if (!known.includes(name) && !canvasOnly.safeParse(name).success)
        context.addIssue(`${name} is no field of a message`)
  })

/** A tool's registration (LTI Dynamic Registration 1.0, 3.2; OpenID Connect Dynamic Client Registration, 2). */
export const ToolRegistration = z.strictObject({
  application_type: z.literal('web'),
  response_types: z.tuple([z.literal('id_token')]),
  grant_types: z.array(z.enum(['implicit', 'client_credentials'])).length(2),
  client_name: z.string().min(1),
  client_uri: https,
  logo_uri: https,
  tos_uri: https,
  policy_uri: https,
  contacts: z.array(z.email()).optional(),
  initiate_login_uri: https,
  redirect_uris: z.array(https).min(1),
  jwks_uri: https,
  token_endpoint_auth_method: z.literal('private_key_jwt'),
  scope: z.string().regex(/^\S+( \S+)*$/),
  'https://purl.imsglobal.org/spec/lti-tool-configuration': z.strictObject({
    domain: z.string().regex(/^[a-z0-9.:-]+$/),
    description: z.string(),
    target_link_uri: https,
    custom_parameters: z.record(z.string(), z.string()),
    claims: z.array(z.enum(['iss', 'sub', 'name', 'given_name', 'family_name', 'email'])),
    messages: z.array(Message).min(1),
    'https://canvas.instructure.com/lti/privacy_level': z
      .enum(['public', 'name_only', 'email_only', 'anonymous'])
      .optional(),
    'https://canvas.instructure.com/lti/tool_id': z.string().optional(),
  }),
})
