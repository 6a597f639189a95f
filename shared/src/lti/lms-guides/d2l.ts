import { customParameterLines, deploymentInput, type LmsGuide } from './lms-guide.ts'

export const d2l: LmsGuide = {
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
