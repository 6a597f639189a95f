import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'

/**
 * `assignment_selection`: an assignment's external tool, graded in Canvas; `link_selection`: in a module.
 * `course_navigation` is off until a teacher turns it on, as most courses do not need another menu entry.
 */
export const canvasPlacements = {
  deepLinking: ['assignment_selection', 'link_selection'],
  resourceLink: ['course_navigation'],
} as const

const SIZE = { selection_width: 1000, selection_height: 800 }

/** As Canvas documents a developer key (“Configuring the Tool in Canvas”). */
export function canvasConfiguration(tool: ToolValues) {
  const shared = { text: tool.name, icon_url: tool.icon_url, target_link_uri: tool.launch_url }
  return {
    title: tool.name,
    description: tool.description,
    oidc_initiation_url: tool.login_url,
    target_link_uri: tool.launch_url,
    public_jwk_url: tool.jwks_url,
    scopes: tool.scopes,
    custom_fields: tool.custom_parameters,
    extensions: [
      {
        platform: 'canvas.instructure.com',
        domain: tool.domain,
        tool_id: 'assay',
        // Sends names and addresses: otherwise teachers would see numbers instead of students.
        privacy_level: 'public',
        settings: {
          text: tool.name,
          icon_url: tool.icon_url,
          ...SIZE,
          placements: [
            ...canvasPlacements.deepLinking.map((placement) => ({
              ...shared,
              placement,
              message_type: 'LtiDeepLinkingRequest',
              ...SIZE,
            })),
            ...canvasPlacements.resourceLink.map((placement) => ({
              ...shared,
              placement,
              message_type: 'LtiResourceLinkRequest',
              default: 'disabled',
              visibility: 'members',
            })),
          ],
        },
      },
    ],
  }
}
