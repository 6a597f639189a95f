import { type LmsGuide, lmsGuides } from '@assay/shared/lti/lms-guides.ts'
import type { LmsKind } from '@assay/shared/lti/lti.ts'
import type { ToolValues } from '@assay/shared/lti/lti-registration.ts'
import { explainRefusal, refusalCodes } from '../refusals.ts'
import {
  canvasConfiguration,
  type LmsCapabilities,
  toolRegistration,
  toolValues,
} from './registration/tool-registration.ts'

const PLACEHOLDER = 'https://assay.school.example'

const documentedLmss = ['canvas', 'moodle', 'blackboard', 'd2l', 'sakai'] as const satisfies LmsKind[]

/** As stated in dynamic registration. */
const capabilities: Record<(typeof documentedLmss)[number], Omit<LmsCapabilities, 'lms'>> = {
  canvas: { messages: ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'], scopes: [] },
  moodle: { messages: ['LtiResourceLinkRequest', 'LtiDeepLinkingRequest'], scopes: [] },
  blackboard: { messages: null, scopes: ['https://purl.imsglobal.org/spec/lti-reg/scope/registration'] },
  d2l: { messages: null, scopes: [] },
  sakai: { messages: null, scopes: [] },
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

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

const readme = `# What an LMS needs to know about Assay

Made by \`node scripts/write-lti-config.ts\` from the code, with \`${PLACEHOLDER}\` in place of your address. Assay shows
the same with your address under LMS, Register an LMS, and serves \`canvas.json\` at \`/lti/canvas.json\`. Step by step:
[docs/lms](../docs/lms/README.md).

| file | what it is |
|---|---|
| \`canvas.json\` | a Canvas developer key’s configuration, to paste or fetch |
| \`….md\` | the values to enter by hand, under that LMS’s names for them |
| \`….registration.json\` | what Assay sends when it registers by a link (LTI Dynamic Registration) |
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

export function withRefusalTable(page: string): string {
  const rows = refusalCodes.map((code) => {
    const text = explainRefusal(code)
    return `| \`${code}\` | ${text?.message} | ${text?.fix} |`
  })
  const table = ['| code | message | how to fix it |', '| --- | --- | --- |', ...rows].join('\n')
  return page.replace(REFUSAL_TABLE, (_, begin: string, end: string) => `${begin}${table}\n${end}`)
}
