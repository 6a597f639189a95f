import { customParameterLines, deploymentInput, type LmsGuide } from './lms-guide.ts'

export const canvas: LmsGuide = {
  name: 'Canvas',
  linkSteps: [
    'In Canvas open Admin, your account, then Apps, and choose Install a New App.',
    'Choose LTI version 1.3 and the install method Dynamic Registration, and paste the link.',
    'Follow Canvas’s steps. Leave all permissions on, and share all user data with Assay.',
  ],
  manualSteps: [
    'In Canvas open Admin, your account, then Apps, and choose Install a New App.',
    'Choose LTI version 1.3 and the install method Enter URL, and paste the JSON URL. Canvas reads the rest from there.',
  ],
  toolValueFields: (tool) => [
    { label: 'JSON URL', value: tool.canvas_json_url },
    { label: 'Redirect URIs', value: tool.launch_url },
    { label: 'Target Link URI', value: tool.launch_url },
    { label: 'OpenID Connect Initiation URL', value: tool.login_url },
    { label: 'Public JWK URL', value: tool.jwks_url },
    { label: 'Custom Fields', value: customParameterLines(tool), multiline: true },
  ],
  settingSteps: [
    'Leave all permissions on, and set User Data Shared With This App to all user data.',
    'Make the app available to the account or to single courses.',
    'Under Developer Keys, the number in the column Details is the client ID. Its state must be On.',
  ],
  inputs: [
    {
      field: 'site',
      label: 'Canvas’s address',
      hint: 'Where people open Canvas. Its pages may show Assay in a frame.',
      placeholder: 'https://school.instructure.com',
    },
    {
      field: 'environment',
      label: 'Which Canvas',
      hint: 'Usually Instructure (production).',
    },
    {
      field: 'client_id',
      label: 'Client ID',
      hint: 'Admin, Developer Keys: the number in the column Details.',
      placeholder: '10000000000001',
    },
    deploymentInput('In the app’s menu under Settings, Apps.'),
  ],
}
