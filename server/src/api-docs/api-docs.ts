import { readFileSync } from 'node:fs'
import { contract } from '@assay/shared/contract.ts'
import type { RequestHandler } from 'express'
import { escapeHtml } from '../lib/http/html.ts'
import {
  type Content,
  createOpenApiDocument,
  type OpenApiDocument,
  type Operation,
  type Schema,
} from '../lib/openapi/openapi-document.ts'
import { hashOf } from '../lib/security/hash-of.ts'
import { version } from '../lib/version.ts'

const style = readFileSync(new URL('./api-docs.css', import.meta.url), 'utf8')

/** The page has no script and loads nothing: this style sheet is all it may use. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${hashOf(style, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function serveApiDocs(): RequestHandler {
  let page: string | undefined
  return (_request, response) => {
    page ??= renderApi(createOpenApiDocument(contract, version, tagDescriptions), style)
    response.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' }).type('html').send(page)
  }
}

interface Call extends Operation {
  method: string
  path: string
}

const prose = (text: string) => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
const block = (text: string) => `<pre tabindex="0">${escapeHtml(text)}</pre>`

function curlOf(call: Call, base: string): string {
  const signedIn = call.security.length > 0
  const isChange = call.method !== 'get'
  const [type] = Object.keys(call.requestBody?.content ?? {})
  return [
    `curl${isChange ? ` -X ${call.method.toUpperCase()}` : ''} "$ASSAY${base}${call.path}"`,
    ...(signedIn ? ['  -H "Authorization: Bearer $TOKEN"'] : []),
    ...(signedIn && isChange ? ['  -H "X-CSRF-Token: $CSRF"'] : []),
    ...(type === 'application/json' ? [`  -H "Content-Type: application/json" -d '{…}'`] : []),
    ...(type === 'multipart/form-data' ? ['  -F field=@paper.pdf …'] : []),
    ...(type === 'application/x-www-form-urlencoded' ? ['  --data-urlencode field=value …'] : []),
  ].join(' \\\n')
}

function parametersOf({ parameters }: Call): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    (one) =>
      `<tr><th scope="row"><code>${escapeHtml(one.name)}</code></th><td>${escapeHtml(one.in)}${one.required ? '' : ', optional'}</td><td>${escapeHtml(schemaText(one.schema))}</td></tr>`,
  )
  const head = '<thead><tr><th scope="col">Name</th><th scope="col">Where</th><th scope="col">What</th></tr></thead>'
  return `<h4>Parameters</h4><div class="wide" tabindex="0" role="group" aria-label="Parameters"><table>${head}<tbody>${rows.join('')}</tbody></table></div>`
}

const contentOf = (content: Content | undefined) =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) => `<p><code>${escapeHtml(type)}</code></p>${schema ? block(schemaText(schema)) : ''}`)
    .join('')

function repliesOf({ responses }: Call): string {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const bad = Object.keys(responses).filter((status) => /^[45]/.test(status))
  const links = bad.map((status) => `<a href="#failure-${status}">${status}</a>`).join(', ')
  return (
    good.map(([status, reply]) => `<h4>Answers ${status}</h4>${contentOf(reply.content)}`).join('') +
    (links ? `<p>Or fails with ${links}.</p>` : '')
  )
}

function renderCall(call: Call, base: string): string {
  return `<details id="${escapeHtml(call.operationId)}">
<summary><span class="method" data-method="${call.method}">${call.method.toUpperCase()}</span> <code>${escapeHtml(call.path)}</code> <span class="what">${escapeHtml(call.summary)}</span></summary>
<div class="call"><p>${escapeHtml(call.description)}</p>
${block(curlOf(call, base))}
${parametersOf(call)}
${call.requestBody ? `<h4>Body</h4>${contentOf(call.requestBody.content)}` : ''}
${repliesOf(call)}</div>
</details>`
}

function renderApi(api: OpenApiDocument, style: string): string {
  const base = api.servers[0]?.url ?? ''
  const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Call => ({ ...operation, method, path })),
  )
  const sections = api.tags.map(({ name, description }) => {
    const mine = calls.filter((call) => call.tags.includes(name))
    return `<section aria-labelledby="tag-${name}"><h2 id="tag-${name}">${escapeHtml(name)}</h2><p>${prose(description)}</p>
${mine.map((call) => renderCall(call, base)).join('\n')}</section>`
  })
  const failures = Object.entries(api.components.responses).map(([name, { description, content }]) => {
    const status = name.replace(/\D/g, '')
    const example = JSON.stringify(content?.['application/json']?.example, null, 2)
    return `<h3 id="failure-${status}">${status}</h3><p>${prose(description ?? '')}</p>${block(example)}`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escapeHtml(api.info.title)} API</title><style>${style}</style></head>
<body><a class="skip" href="#content">Skip to content</a>
<nav aria-label="Groups of calls"><p class="brand">${escapeHtml(api.info.title)} API</p><ul>
${api.tags.map(({ name }) => `<li><a href="#tag-${name}">${escapeHtml(name)}</a></li>`).join('')}
<li><a href="#failures">Failures</a></li></ul></nav>
<main id="content"><h1>${escapeHtml(api.info.title)} API <small>${escapeHtml(api.info.version)}</small></h1>
<p>${prose(api.info.description)}</p>
<p>${calls.length} calls below <code>${escapeHtml(base)}</code>, made from the schemas that check them.
For programs: <a href="${escapeHtml(base)}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${sections.join('\n')}
<section aria-labelledby="failures"><h2 id="failures">Failures</h2><p>Every failed call answers in one shape.</p>
${block(schemaText(api.components.schemas.Error))}
${failures.join('\n')}</section></main></body></html>`
}

const SAFE = 9007199254740991

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength } = schema
  const words = [
    minimum !== undefined && minimum > -SAFE ? `from ${minimum}` : '',
    maximum !== undefined && maximum < SAFE ? `to ${maximum}` : '',
    minLength ? `at least ${minLength} characters` : '',
    maxLength ? `at most ${maxLength} characters` : '',
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter(Boolean)
  return words.length > 0 ? ` (${words.join(', ')})` : ''
}

/** As a type: names, `?` for optional, and what a value may be. */
export function schemaText(schema: Schema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((one) => schemaText(one, indent)).join(' | ')
  if (schema.type === 'array') {
    const item = schemaText(schema.items ?? {}, indent)
    const { anyOf, oneOf, enum: words } = schema.items ?? {}
    return anyOf || oneOf || words ? `(${item})[]` : `${item}[]`
  }
  if (schema.properties) {
    const inner = `${indent}  `
    const lines = Object.entries(schema.properties).map(([name, property]) => {
      const optional = schema.required?.includes(name) ? '' : '?'
      return `${inner}${name}${optional}: ${schemaText(property, inner)}`
    })
    return lines.length > 0 ? `{\n${lines.join('\n')}\n${indent}}` : '{}'
  }
  if (typeof schema.additionalProperties === 'object')
    return `{ [name]: ${schemaText(schema.additionalProperties, indent)} }`
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'anything')
  const format = schema.format === 'binary' ? 'file' : schema.format
  return (format ? (format === 'file' ? 'file' : `${type}, ${format}`) : type) + boundsOf(schema)
}

export const tagDescriptions: Record<string, string> = {
  auth: 'Accounts, signing in and out, mailed links.',
  profile: 'Your own name, e-mail address, password and preferences.',
  'personal-data': 'A person’s data: download it, and delete the account.',
  courses: 'Courses and their members.',
  retention: 'How long a course keeps student work.',
  roster: 'Students of a course, one by one or by CSV.',
  assignments: 'Assignments: blank, answer key, dates, publishing.',
  rubrics: 'Rubrics: edit, versions, generate from blank and key, export.',
  submissions: 'Students’ papers.',
  transcriptions: 'Text read from a paper, and corrections to it.',
  matches: 'Matching uploaded files to students.',
  runs: 'Grading runs.',
  grades: 'Suggested grades and the teacher’s decisions.',
  'class-scans': 'Scans of a whole class, split into papers before they become submissions.',
  similarity: 'Papers whose own words are unusually alike.',
  'accuracy-checks': 'Checking the grader by a sample of answers marked without its suggestions.',
  questions: 'Grading a question at a time: answers in groups, decided together.',
  'grade-history': 'How a grade came about, for audits.',
  'graded-papers': 'Papers as PDF with points and comments on their pages.',
  regrades: 'Regrade requests by students.',
  rubricAmendments: 'Changes to a rubric that follow from a granted regrade request, and the like answers they change.',
  'score-rules': 'Late penalties, and a shift or scale of all scores.',
  'lms-scores': 'Scores sent to the LMS that an assignment is opened from.',
  gradebook: 'Every grade of a course, and what counts in its totals.',
  analytics: 'Course analytics.',
  students: 'What students see and hand in.',
  settings: 'System settings.',
  model: 'The AI model that grades: provider, budget and cost.',
  lti: 'Launches from an LMS, and what an instructor sets up there.',
  'lti-platforms': 'The LMSs Assay is registered with, for administrators.',
  'lti-roster': 'The roster of a course in its LMS.',
  'lti-deep-linking': 'Linking assignments from a course in an LMS.',
  admin: 'Accounts, figures and the audit log, for administrators.',
  'test-pages': 'For developers; only while the test pages are on.',
}
