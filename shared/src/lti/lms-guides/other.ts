import { customParameterLines, deploymentInput, type LmsGuide } from './lms-guide.ts'

export const other: LmsGuide = {
  name: 'Another LMS',
  linkSteps: [
    'Find where your LMS registers LTI 1.3 tools by a URL; the standard calls it dynamic registration.',
    'Paste the link there.',
    'Let the LMS send names and email addresses, and allow names and roles, and assignments and grades.',
  ],
  manualSteps: ['Register an LTI 1.3 tool in your LMS with these values.'],
  toolValueFields: (tool) => [
    { label: 'Name', value: tool.name },
    { label: 'Domain', value: tool.domain },
    { label: 'Login URL (OIDC initiation)', value: tool.login_url },
    { label: 'Launch URL, redirect URI', value: tool.launch_url },
    { label: 'Deep linking URL', value: tool.launch_url },
    { label: 'Key set URL (JWKS)', value: tool.jwks_url },
    { label: 'Icon URL', value: tool.icon_url },
    { label: 'Scopes', value: tool.scopes.join('\n'), multiline: true },
    { label: 'Custom parameters', value: customParameterLines(tool), multiline: true },
  ],
  settingSteps: [
    'Let it send names and email addresses, and allow names and roles, deep linking, and assignments and grades with columns.',
  ],
  inputs: [
    {
      field: 'site',
      label: 'The LMS’s address',
      hint: 'Where people open it. Its pages may show Assay in a frame.',
      placeholder: 'https://lms.school.example',
    },
    { field: 'client_id', label: 'Client ID', hint: 'As the LMS shows it.' },
    deploymentInput('As the LMS shows it.'),
  ],
}
