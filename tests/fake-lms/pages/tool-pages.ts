import { readFileSync } from 'node:fs'
import type { Express, RequestHandler } from 'express'
import type { Course, Deployment, Person } from '../data/lms-data.ts'
import type { LineItem, Link, Tool } from '../data/records.ts'
import type { LaunchRequest } from '../launches/claims.ts'
import { type Launches, loginParameters } from '../launches/launches.ts'
import type { Platform } from '../platform.ts'
import type { Registrations } from '../registration.ts'
import { type Html, html, selfPosting } from './html.ts'
import { fieldsOf, linkIn, notFound, notice, page, requireCourseMember, requirePerson, type Visit } from './layout.ts'

type LaunchingPlatform = Platform & { launches: Launches }

const script = readFileSync(new URL('post-messages.js', import.meta.url), 'utf8')

const ALLOW =
  'geolocation *; microphone *; camera *; midi *; encrypted-media *; autoplay *; clipboard-write *; display-capture *'

function messagesScript(lms: Platform, role: 'page' | 'storage', back: string): Html {
  const tools = [...lms.tools.values()]
  const origins = [...new Set(tools.flatMap(({ launchUrl, loginUrl }) => [launchUrl, loginUrl]))].map(
    (url) => new URL(url).origin,
  )
  return html`<script src="/messages.js" data-role="${role}" data-target="${lms.settings.storageTarget}" data-resizes="${lms.kind.resizesFrames ? 'yes' : ''}"
data-origins="${JSON.stringify(origins)}" data-back="${back}"></script>`
}

function framedToolPage(lms: Platform, person: Person, title: string, course: Course, source: string): string {
  const back = `/courses/${course.id}`
  const { storageTarget } = lms.settings
  const beside = storageTarget && storageTarget !== '_parent'
  const body = html`<div class="row"><a href="${back}">‹ ${course.title}</a><strong>${title}</strong></div>
${messagesScript(lms, 'page', back)}
${beside ? html`<iframe name="${storageTarget}" title="${storageTarget}" src="${lms.kind.paths.storage}" hidden></iframe>` : ''}
<iframe class="tool" name="tool" title="${title}" src="${source}" allow="${ALLOW}" allowfullscreen></iframe>`
  return page(lms, { title, person, wide: true, body })
}

const opening = (
  as: Person,
  course: Course,
  deployment: Deployment,
  fields: Partial<LaunchRequest>,
): LaunchRequest => ({
  as,
  course,
  deployment,
  link: null,
  message: 'LtiResourceLinkRequest',
  target: 'iframe',
  forUser: null,
  lineItem: null,
  deepLinking: {},
  ...fields,
})

function startLaunch(lms: LaunchingPlatform, { response }: Visit, what: LaunchRequest): void {
  const launch = lms.launches.begin(what)
  const { loginUrl } = what.deployment.tool
  response.setHeader('cache-control', 'no-store')
  response.send(selfPosting(loginUrl, loginParameters(lms, launch)).text)
}

type LinkVisit = Visit & { course: Course; teacher: boolean; link: Link }
type ReviewVisit = Visit & { course: Course; lineItem: LineItem; forUser: Person }

function forReview(lms: Platform, show: (visit: ReviewVisit) => void): RequestHandler {
  return requireCourseMember(lms, (visit) => {
    const { itemId, studentId } = visit.request.params
    const lineItem = lms.lineItems.get(String(itemId))
    const forUser = visit.course.members.get(String(studentId))?.person
    if (!visit.teacher || !forUser || lineItem?.course !== visit.course) return notFound(lms, visit)
    show({ ...visit, lineItem, forUser })
  })
}

export function addToolPages(app: Express, lms: LaunchingPlatform): void {
  const forLink = (show: (visit: LinkVisit) => void) =>
    requireCourseMember(lms, (visit) => {
      const link = linkIn(lms, visit.course, String(visit.request.params.linkId))
      if (link) show({ ...visit, link })
      else notFound(lms, visit)
    })

  app.get('/messages.js', (_request, response) => void response.type('text/javascript').send(script))
  app.get(lms.kind.paths.storage, (_request, response) => {
    const head = html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Storage</title>`
    response.send(html`${head}${messagesScript(lms, 'storage', '/')}</html>`.text)
  })

  app.get(
    '/courses/:courseId/links/own',
    requireCourseMember(lms, ({ response, person }) => {
      const body = html`<h1>Essay</h1><p>Hand in by Friday.</p>`
      response.send(page(lms, { title: 'Essay', person, wide: true, body }))
    }),
  )

  const base = '/courses/:courseId/links/:linkId'
  app.get(
    base,
    forLink(({ response, person, course, link }) => {
      const source = `/courses/${course.id}/links/${link.id}/launch`
      if (link.target === 'window') return void response.redirect(`${source}?target=window`)
      response.send(framedToolPage(lms, person, link.title, course, source))
    }),
  )
  app.get(
    `${base}/launch`,
    forLink((visit) => {
      const { person, course, link, request } = visit
      const target = request.query.target === 'window' ? 'window' : 'iframe'
      startLaunch(lms, visit, opening(person, course, link.deployment, { link, target }))
    }),
  )
  app.get(
    `${base}/window`,
    forLink((visit) => {
      const { person, course, link } = visit
      startLaunch(lms, visit, opening(person, course, link.deployment, { link, target: 'window' }))
    }),
  )

  const review = '/courses/:courseId/grades/:itemId/:studentId'
  app.get(
    review,
    forReview(lms, ({ response, person, course, lineItem, forUser }) => {
      const source = `/courses/${course.id}/grades/${lineItem.id}/${forUser.id}/launch`
      response.send(framedToolPage(lms, person, `${lineItem.label}, ${forUser.name}`, course, source))
    }),
  )
  app.get(
    `${review}/launch`,
    forReview(lms, (visit) => {
      const { person, course, lineItem, forUser } = visit
      const message = 'LtiSubmissionReviewRequest'
      const fields = { link: lineItem.link, message, forUser, lineItem } as const
      startLaunch(lms, visit, opening(person, course, lineItem.deployment, fields))
    }),
  )

  app.get(
    '/courses/:courseId/add/:clientId',
    requireCourseMember(lms, (visit) => {
      const { response, person, course, teacher, request } = visit
      const tool = lms.tools.get(String(request.params.clientId))
      if (!tool || !teacher) return notFound(lms, visit)
      const source = `/courses/${course.id}/add/${tool.clientId}/launch`
      response.send(framedToolPage(lms, person, `Add from ${tool.name}`, course, source))
    }),
  )
  app.get(
    '/courses/:courseId/add/:clientId/launch',
    requireCourseMember(lms, (visit) => {
      const { person, course, teacher, request } = visit
      const tool = lms.tools.get(String(request.params.clientId))
      if (!tool || !teacher) return notFound(lms, visit)
      const message = 'LtiDeepLinkingRequest'
      startLaunch(lms, visit, opening(person, course, lms.deploymentOf(tool), { message }))
    }),
  )
}

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

  app.post(
    '/admin/register',
    forAdmin(({ request, response, person }) => {
      const link = fieldsOf(request).get('link') ?? ''
      if (!URL.canParse(link)) return said(response, 'That is no link.')
      const body = html`<p><a href="/admin">‹ Administration</a></p>
<iframe class="tool" name="registration" title="Registration" src="${lms.registrations.link(lms, link)}"></iframe>
<script>addEventListener('message', ({ data, origin }) => {
  if (!data || data.subject !== 'org.imsglobal.lti.close' || origin !== '${new URL(link).origin}') return
  // Nobody reads what the tool would still have shown.
  document.querySelector('iframe').remove()
  location.href = '/admin?said=Registered.'
})</script>`
      response.send(page(lms, { title: 'Registration', person, wide: true, body }))
    }),
  )
}
