import { customParameterLines, deploymentInput, type LmsGuide } from './lms-guide.ts'

export const blackboard: LmsGuide = {
  name: 'Blackboard',
  linkSteps: [
    'Sign in at developer.blackboard.com and choose LTI Dynamic Registration.',
    'Paste the link and follow Anthology’s steps to get an application ID.',
    'In Blackboard open Administrator Panel, Integrations, LTI Tool Providers, Register LTI 1.3/Advantage Tool, and enter the application ID as client ID.',
    'Approve the tool there. Send role, name and email address, and allow grade service and membership service access.',
  ],
  manualSteps: [
    'Sign in at developer.blackboard.com and register an application. Turn on My Integration supports LTI 1.3, and enter these values.',
  ],
  toolValueFields: (tool) => [
    { label: 'Application Name', value: tool.name },
    { label: 'Domain(s)', value: tool.domain },
    { label: 'Login Initiation URL', value: tool.login_url },
    { label: 'Tool Redirect URL(s)', value: tool.launch_url },
    { label: 'Tool JWKS URL', value: tool.jwks_url },
    { label: 'Signing Algorithm', value: 'RS256' },
    { label: 'Custom Parameters', value: customParameterLines(tool), multiline: true },
  ],
  settingSteps: [
    'Register the application and copy its application ID.',
    'In Blackboard open Administrator Panel, Integrations, LTI Tool Providers, Register LTI 1.3/Advantage Tool, and enter the application ID as client ID.',
    'Tool status: Approved. User fields to send: role in course, name and email address. Allow grade service access and Allow Membership Service Access: Yes.',
    'Under Manage Placements create a placement of type Deep Linking content tool, with the tool redirect URL from above as its URL.',
  ],
  inputs: [
    {
      field: 'site',
      label: 'Blackboard’s address',
      hint: 'Where people open Blackboard. Its pages may show Assay in a frame.',
      placeholder: 'https://learn.school.example',
    },
    {
      field: 'client_id',
      label: 'Application ID',
      hint: 'From developer.blackboard.com. Blackboard calls it client ID.',
    },
    deploymentInput('In Blackboard, on the tool’s page under LTI Tool Providers.'),
  ],
}
