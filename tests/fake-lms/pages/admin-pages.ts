import type { Express, RequestHandler } from 'express'
import type { Tool } from '../data/lms-data.ts'
import type { Platform } from '../platform.ts'
import type { Registrations } from '../registration.ts'
import { type Html, html } from './html.ts'
import { fieldsOf, notFound, notice, page, requirePerson, type Visit } from './layout.ts'

const values = (list: [string, string][]): Html =>
  html`<dl>${list.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>`

const toolPart = (tool: Tool) =>
  html`<div class="sheet"><h2>${tool.name}</h2>${values([
    ['Client id', tool.clientId],
    ['Deployment id', tool.deployments.join(', ')],
    ['Login address', tool.loginUrl],
    ['Launch address', tool.launchUrl],
    ['Key set', tool.jwksUrl],
  ])}</div>`

function registrationPart(): Html {
  return html`<h2>Register a tool</h2>
<p class="dim">Paste the registration link that the tool’s administrator gave you. The tool asks for the rest.</p>
<form method="post" action="/admin/register" class="sheet"><label>Registration link
<input name="link" type="url" required placeholder="http://localhost:3000/lti/register?…"></label>
<p><button class="main">Register</button></p></form>`
}

export function addAdminPages(app: Express, lms: Platform & { registrations: Registrations }): void {
  const forAdmin = (show: (visit: Visit) => void): RequestHandler =>
    requirePerson(lms, (visit) => (lms.isAdmin(visit.person) ? show(visit) : notFound(lms, visit)))
  const said = (response: Visit['response'], text: string) =>
    response.redirect(`/admin?said=${encodeURIComponent(text)}`)

  app.get(
    '/admin',
    forAdmin(({ request, response, person }) => {
      const body = html`${notice(typeof request.query.said === 'string' ? request.query.said : '')}<h1>Administration</h1>
<h2>What a tool has to know of this LMS</h2><div class="sheet">${values([
        ['Issuer', lms.issuer],
        ['Authorization', lms.authorizationUrl],
        ['Token', lms.tokenUrl],
        ['Key set', lms.jwksUrl],
        ['Configuration', lms.configurationUrl],
      ])}</div>
<h2>Tools</h2>${[...lms.tools.values()].map(toolPart)}${lms.tools.size === 0 ? html`<p>None yet.</p>` : ''}
${registrationPart()}`
      response.send(page(lms, { title: 'Administration', person, body }))
    }),
  )

  // The tool's own pages do the registering, in a frame, and close it when they are done.
  app.post(
    '/admin/register',
    forAdmin(({ request, response, person }) => {
      const link = fieldsOf(request).get('link') ?? ''
      if (!URL.canParse(link)) return said(response, 'That is no link.')
      const body = html`<p><a href="/admin">‹ Administration</a></p>
<iframe class="tool" name="registration" title="Registration" src="${lms.registrations.link(lms, link)}"></iframe>
<script>addEventListener('message', ({ data, origin }) => {
  if (!data || data.subject !== 'org.imsglobal.lti.close' || origin !== '${new URL(link).origin}') return
  // At once: whatever the tool would still have shown, nobody reads.
  document.querySelector('iframe').remove()
  location.href = '/admin?said=Registered.'
})</script>`
      response.send(page(lms, { title: 'Registration', person, wide: true, body }))
    }),
  )
}
