import type { LmsInputs } from '../../rules/derive-platform-values.ts'
import type { ToolValues } from '../lti-registration.ts'

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

/** What an administrator meets in one LMS, by its names there. `lti-config/` and the screens are made of it. */
export interface LmsGuide {
  name: string
  /** How its own registration goes, up to the point where our link is pasted; null where it has none. */
  linkSteps: string[] | null
  manualSteps: string[]
  toolValueFields: (tool: ToolValues) => ToolValueField[]
  /** What to choose there beside the values, and where its own values are shown. */
  settingSteps: string[]
  inputs: LmsInputSpec[]
}

/** One a line, `name=$Variable`, as most LMSs want them. */
export const customParameterLines = ({ custom_parameters }: ToolValues) =>
  Object.entries(custom_parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

export const deploymentInput = (hint: string): LmsInputSpec => ({
  field: 'deployment',
  label: 'Deployment ID',
  hint: `${hint} Left empty, it is taken from the first launch.`,
  optional: true,
})
