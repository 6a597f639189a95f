import type { LmsInputs } from '../rules/derive-platform-values.ts'
import type { LmsKind } from './lti.ts'
import type { ToolValues } from './lti-registration.ts'

interface ToolValueField {
  label: string
  value: string
  multiline?: true
}

interface LmsInputSpec {
  field: keyof LmsInputs
  label: string
  hint: string
  placeholder?: string
  optional?: true
}

/** By the LMS's own names, for `lti-config/` and the screens. */
export interface LmsGuide {
  name: string
  /** Up to the point where our link is pasted. */
  linkSteps: string[]
  manualSteps: string[]
  toolValueFields: (tool: ToolValues) => ToolValueField[]
  /** What to choose beside the values, and where the LMS's own values are shown. */
  settingSteps: string[]
  inputs: LmsInputSpec[]
}

const customParameterLines = ({ custom_parameters }: ToolValues) =>
  Object.entries(custom_parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

const deploymentInput = (hint: string): LmsInputSpec => ({
  field: 'deployment',
  label: 'Deployment ID',
  hint: `${hint} Left empty, it is taken from the first launch.`,
  optional: true,
})

const canvas: LmsGuide = {
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
    { field: 'environment', label: 'Which Canvas', hint: 'Usually Instructure (production).' },
    {
      field: 'client_id',
      label: 'Client ID',
      hint: 'Admin, Developer Keys: the number in the column Details.',
      placeholder: '10000000000001',
    },
    deploymentInput('In the app’s menu under Settings, Apps.'),
  ],
}

const moodle: LmsGuide = {
  name: 'Moodle',
  linkSteps: [
    'In Moodle open Site administration, Plugins, Activity modules, External tool, Manage tools.',
    'Paste the link into Tool URL and press Add LTI Advantage.',
    'The tool appears under Tools as pending. Press Activate.',
  ],
  manualSteps: [
    'In Moodle open Site administration, Plugins, Activity modules, External tool, Manage tools.',
    'Choose configure a tool manually. Set LTI version to LTI 1.3 and Public key type to Keyset URL, and enter these values.',
  ],
  toolValueFields: (tool) => [
    { label: 'Tool name', value: tool.name },
    { label: 'Tool URL', value: tool.launch_url },
    { label: 'Public keyset', value: tool.jwks_url },
    { label: 'Initiate login URL', value: tool.login_url },
    { label: 'Redirection URI(s)', value: tool.launch_url },
    { label: 'Custom parameters', value: customParameterLines(tool), multiline: true },
    { label: 'Content Selection URL', value: tool.launch_url },
    { label: 'Icon URL', value: tool.icon_url },
  ],
  settingSteps: [
    'Tool configuration usage: Show in activity chooser and as a preconfigured tool.',
    'Tick Supports Deep Linking (Content-Item Message).',
    'Services: Use this service for grade sync and column management, and Use this service to retrieve members’ information as per privacy settings.',
    'Privacy: share the launcher’s name and email always, and accept grades from the tool.',
    'Save. The tool’s list icon (View configuration details) shows Moodle’s values.',
  ],
  inputs: [
    {
      field: 'site',
      label: 'Moodle’s address',
      hint: 'Moodle calls it Platform ID.',
      placeholder: 'https://moodle.school.example',
    },
    { field: 'client_id', label: 'Client ID', hint: 'In the tool’s configuration details.' },
    deploymentInput('In the tool’s configuration details.'),
  ],
}

const blackboard: LmsGuide = {
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

const d2l: LmsGuide = {
  name: 'D2L Brightspace',
  linkSteps: [
    'In Brightspace open Admin Tools, Manage Extensibility, LTI Advantage, and press Register Tool.',
    'Choose Dynamic, paste the link as the registration URL, and press Register. Assay opens in a new tab; close it when it tells you to.',
    'Enable the registration, and under View Deployments create a deployment with all three extensions for the org units that will use Assay.',
  ],
  manualSteps: [
    'In Brightspace open Admin Tools, Manage Extensibility, LTI Advantage, and press Register Tool.',
    'Choose Standard and enter these values.',
  ],
  toolValueFields: (tool) => [
    { label: 'Name', value: tool.name },
    { label: 'Domain', value: tool.public_url },
    { label: 'Redirect URLs', value: tool.launch_url },
    { label: 'OpenID Connect Login URL', value: tool.login_url },
    { label: 'Target Link URI', value: tool.launch_url },
    { label: 'Keyset URL', value: tool.jwks_url },
    { label: 'Custom Parameters', value: customParameterLines(tool), multiline: true },
  ],
  settingSteps: [
    'Extensions: Assignment and Grade Services, Deep Linking, Names and Role Provisioning Services.',
    'Register. The next dialog shows Brightspace’s values.',
    'View Deployments, New Deployment: the same three extensions, user information with name and email, and the org units that will use Assay.',
  ],
  inputs: [
    {
      field: 'site',
      label: 'Brightspace’s address',
      hint: 'Brightspace calls it Issuer.',
      placeholder: 'https://school.brightspace.com',
    },
    { field: 'client_id', label: 'Client Id', hint: 'In the registration’s details.' },
    deploymentInput('In the deployment’s details.'),
  ],
}

const sakai: LmsGuide = {
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

const other: LmsGuide = {
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

export const lmsGuides: Record<LmsKind, LmsGuide> = { canvas, moodle, blackboard, d2l, sakai, other }
