import { customParameterLines, deploymentInput, type LmsGuide } from './lms-guide.ts'

export const sakai: LmsGuide = {
  name: 'Sakai',
  linkSteps: [
    'In Sakai open Administration Workspace, External Tools, LTI Advantage Auto Provision.',
    'Give the tool a title and press Auto Provision, then Use LTI Advantage Auto Configuration, and paste the link.',
    'Save the tool with names, email addresses and all services allowed.',
  ],
  manualSteps: [
    'In Sakai open Administration Workspace, External Tools, and choose to install an LTI 1.x tool.',
    'Turn on LTI 1.3 and enter these values.',
  ],
  toolValueFields: (tool) => [
    { label: 'Tool Title', value: tool.name },
    { label: 'Launch URL', value: tool.launch_url },
    { label: 'LTI 1.3 Tool Keyset URL', value: tool.jwks_url },
    { label: 'LTI 1.3 Tool OpenID Connect/Initialization Endpoint', value: tool.login_url },
    { label: 'LTI 1.3 Tool Redirect Endpoint(s)', value: tool.launch_url },
    { label: 'Custom Parameters', value: customParameterLines(tool), multiline: true },
  ],
  settingSteps: [
    'Send names and email addresses, and allow the roster, the gradebook and its columns.',
    'Allow the tool to be launched as a link and to be chosen by deep linking (content selection).',
    'Save and open the tool again: it shows Sakai’s values.',
  ],
  inputs: [
    {
      field: 'site',
      label: 'Sakai’s address',
      hint: 'Sakai calls it Platform Issuer.',
      placeholder: 'https://sakai.school.example',
    },
    {
      field: 'tool_number',
      label: 'Number of the tool',
      hint: 'The last part of the token URL that Sakai shows: …/imsblis/lti13/token/12',
      placeholder: '12',
    },
    { field: 'client_id', label: 'Client ID', hint: 'On the tool’s page, among the values from the LMS.' },
    deploymentInput('On the tool’s page; usually 1.'),
  ],
}
