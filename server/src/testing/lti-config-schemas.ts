import { z } from 'zod'

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
