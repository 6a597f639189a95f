import type { Express } from 'express'
import type { Course, Person } from '../data/lms-data.ts'
import type { Link, Tool } from '../data/records.ts'
import { roleUri, shortRole } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { type Html, html } from './html.ts'
import { notice, page, requireCourseMember, requirePerson, signInAs } from './layout.ts'

const shownDate = (time: string) =>
  new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function linkRow(link: Link): Html {
  const { course, title, description, deployment, submission } = link
  const address = `/courses/${course.id}/links/${link.id}`
  return html`<div class="row"><span class="grow"><a href="${address}">${title}</a>
<span class="dim">${deployment.tool.name}${submission.endDateTime ? html` · due ${shownDate(submission.endDateTime)}` : ''}</span>
${description ? html`<br><span class="dim">${description}</span>` : ''}</span>
<a class="button" href="${address}">Open</a>
<a class="button" href="${address}/window" target="_blank">Open in a new window</a></div>`
}

const addRow = (course: Course, tool: Tool) =>
  html`<a class="button main" href="/courses/${course.id}/add/${tool.clientId}">Add from ${tool.name}</a>`

function teacherPart(lms: Platform, course: Course): Html {
  const tools = [...lms.tools.values()]
  return html`<h2>Teaching</h2><div class="row">${tools.map((tool) => addRow(course, tool))}
<a class="button" href="/courses/${course.id}/grades">Gradebook</a></div>
${tools.length === 0 ? html`<p class="dim">No tool is registered yet: that is the administrator’s to do.</p>` : ''}`
}

export function addCoursePages(app: Express, lms: Platform): void {
  app.get(
    '/courses/:courseId',
    requireCourseMember(lms, ({ request, response, person, course, teacher }) => {
      const links = [...lms.links.values()].filter((link) => link.course === course)
      const said = typeof request.query.said === 'string' ? request.query.said : ''
      const body = html`${notice(said)}<h1>${course.title}</h1>
<p class="dim">${course.label} · ${course.members.size} people${course.history.length > 0 ? ' · copied from an earlier course' : ''}</p>
<div class="sheet">${links.map(linkRow)}${links.length === 0 ? html`<p>Nothing is here yet.</p>` : ''}</div>
${teacher ? teacherPart(lms, course) : ''}`
      response.send(page(lms, { title: course.title, person, body }))
    }),
  )

  app.get(
    '/courses/:courseId/return',
    requireCourseMember(lms, ({ request, response, course }) => {
      const { lti_msg: message, lti_errormsg: error } = request.query
      const said = [error, message].find((one) => typeof one === 'string' && one)
      const to = `/courses/${course.id}${said ? `?said=${encodeURIComponent(String(said))}` : ''}`
      response.send(leaveFrame(to).text)
    }),
  )
}

export const leaveFrame = (
  path: string,
) => html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Going back…</title>
<a href="${path}" target="_top">Go back to the course</a>
<script>window.top.location.href = document.querySelector('a').href</script></html>`

/** The others are under /as/{id}. */
const MAX_SHOWN = 12

function roleOf(lms: Platform, person: Person): string {
  if (lms.isAdmin(person)) return 'administrator'
  const roles = [...lms.courses.values()].flatMap(({ members }) => members.get(person.id)?.roles ?? [])
  return [...new Set(roles.map((role) => shortRole(roleUri(role)).toLowerCase()))].join(', ') || 'nobody in particular'
}

export function addFrontPages(app: Express, lms: Platform): void {
  app.get('/', (_request, response) => {
    const everybody = [...lms.people.values()].filter(({ testStudent }) => !testStudent)
    const rest = everybody.length - MAX_SHOWN
    const body = html`<h1>Who are you?</h1>
<p class="dim">This LMS asks for no password. Choose somebody, and open a course as they would.</p>
<div class="sheet">${everybody.slice(0, MAX_SHOWN).map(
      (
        person,
      ) => html`<div class="row"><span class="grow">${person.name} <span class="dim">${roleOf(lms, person)}</span></span>
<a class="button" href="/as/${person.id}">Go on as ${person.givenName}</a></div>`,
    )}</div>${rest > 0 ? html`<p class="dim">And ${rest} more.</p>` : ''}`
    response.send(page(lms, { title: 'Who are you?', body }))
  })

  app.get('/as/:personId', (request, response) => {
    const person = lms.people.get(request.params.personId)
    if (!person) return void response.redirect('/')
    signInAs(lms, response, person)
    const to = typeof request.query.to === 'string' ? request.query.to : '/courses'
    response.redirect(new URL(to, lms.url).origin === lms.url ? to : '/courses')
  })

  app.get(
    '/courses',
    requirePerson(lms, ({ response, person }) => {
      const mine = [...lms.courses.values()].filter(({ members }) => members.has(person.id) || lms.isAdmin(person))
      const body = html`<h1>Courses</h1><div class="sheet">${mine.map(
        ({
          id,
          title,
          label,
          members,
        }) => html`<div class="row"><span class="grow"><a href="/courses/${id}">${title}</a>
<span class="dim">${label} · ${members.size} people</span></span></div>`,
      )}${mine.length === 0 ? html`<p>You are in no course.</p>` : ''}</div>`
      response.send(page(lms, { title: 'Courses', person, body }))
    }),
  )
}
