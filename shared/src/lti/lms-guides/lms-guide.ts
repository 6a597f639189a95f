import type { LmsInputs } from '../../rules/derive-platform-values.ts'
import type { ToolValues } from '../lti-registration.ts'

/** A value of ours, under the name the LMS has for it. */
interface ToolValueField {
  label: string
  value: string
  /** Several lines. */
  multiline?: true
}

interface LmsInputSpec {
  field: keyof LmsInputs
  label: string
  hint: string
  placeholder?: string
  optional?: true
}

/** What an administrator meets in one LMS, by the names it has there. `lti-config/` and the screens are both made of it. */
export interface LmsGuide {
  name: string
  /** How its own registration goes, up to the point where our link is pasted; null where it has none. */
  linkSteps: string[] | null
  /** How to get to the form that takes our values. */
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
