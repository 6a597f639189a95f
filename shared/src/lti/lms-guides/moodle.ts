import { customParameterLines, deploymentInput, type LmsGuide } from './lms-guide.ts'

export const moodle: LmsGuide = {
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
