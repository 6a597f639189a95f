import type { LmsGuide } from '@assay/shared/lms-guides/lms-guide.ts'
import { lmsGuides } from '@assay/shared/lms-guides.ts'
import type { LmsKind } from '@assay/shared/lti.ts'
import type { ToolValues } from '@assay/shared/lti-registration.ts'
import { explainRefusal, refusalCodes } from '../refusals.ts'
import { canvasConfiguration } from './canvas-configuration.ts'
import { type LmsCapabilities, toolRegistration } from './registration/tool-registration.ts'
import { toolValues } from './tool-values.ts'

/** Stands where an Assay's own address would. */
export const PLACEHOLDER = 'https://assay.school.example'

const documentedLmss = ['canvas', 'moodle', 'blackboard', 'd2l', 'sakai'] as const satisfies LmsKind[]

/** What each says of itself to a tool that registers, as far as our answer depends on it. */
const capabilities: Record<(typeof documentedLmss)[number], Omit<LmsCapabilities, 'lms'>> = {
  canvas: { messages: ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'], scopes: [] },
  moodle: { messages: ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'], scopes: [] },
  blackboard: { messages: null, scopes: ['https://purl.imsglobal.org/spec/lti-reg/scope/registration'] },
  d2l: { messages: null, scopes: [] },
  sakai: { messages: null, scopes: [] },
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** The files of `lti-config/`, by name: what an LMS is told, with a placeholder for the address. */
export function ltiConfigFiles(): Map<string, string> {
  const tool = toolValues(PLACEHOLDER)
  const files = new Map([
    ['README.md', readme],
    ['canvas.json', json(canvasConfiguration(tool))],
  ])
  for (const lms of documentedLmss) {
    files.set(`${lms}.md`, toolValuesPage(lmsGuides[lms], tool))
    files.set(`${lms}.registration.json`, json(toolRegistration(tool, { lms, ...capabilities[lms] }, null)))
  }
  return files
}

const readme = `# What an LMS is told about Assay

Made by \`node scripts/write-lti-config.ts\` from the code that tells it, with \`${PLACEHOLDER}\` where your own address stands. Assay shows
the same with your address under LMS, Register an LMS, and serves \`canvas.json\` at \`/lti/canvas.json\`. How to go about it:
[docs/lms](../docs/lms/README.md).

| file | what it is |
|---|---|
| \`canvas.json\` | a Canvas developer key’s configuration, to paste or to fetch |
| \`….md\` | the values to enter by hand, under the names that LMS has for them |
| \`….registration.json\` | what Assay sends to the LMS when it registers itself by a link (LTI Dynamic Registration) |
`

function toolValuesPage(guide: LmsGuide, tool: ToolValues): string {
  const rows = guide.toolValueFields(tool).map(({ label, value }) => `| ${label} | ${cell(value)} |`)
  const list = (steps: string[], mark: (i: number) => string) => steps.map((step, i) => `${mark(i)} ${step}`).join('\n')
  return `# Assay’s values for ${guide.name}

Made by \`node scripts/write-lti-config.ts\`; \`${PLACEHOLDER}\` stands for your Assay’s address.

${list(guide.manualSteps, (i) => `${i + 1}.`)}

| in ${guide.name} | value |
|---|---|
${rows.join('\n')}

${list(guide.settingSteps, () => '-')}
`
}

const cell = (value: string) =>
  value
    .split('\n')
    .map((line) => `\`${line}\``)
    .join('<br>')

const REFUSAL_TABLE = /(<!-- refusals: [^>]*-->\n)[\s\S]*?(<!-- \/refusals -->)/

/** `docs/lms/troubleshooting.md` with every refusal there is, in the words people are told. */
export function withRefusalTable(page: string): string {
  const rows = refusalCodes.map((code) => {
    const told = explainRefusal(code)
    return `| \`${code}\` | ${told?.said} | ${told?.mend} |`
  })
  const table = ['| code | what is said | how to mend it |', '| --- | --- | --- |', ...rows].join('\n')
  return page.replace(REFUSAL_TABLE, (_, begin: string, end: string) => `${begin}${table}\n${end}`)
}
