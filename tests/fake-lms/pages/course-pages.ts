import type { Express } from 'express'
import type { Course, Link, Tool } from '../data/lms-data.ts'
import type { Platform } from '../platform.ts'
import { type Html, html } from './html.ts'
import { notice, page } from './layout.ts'
import { requireCourseMember } from './visit.ts'

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

  // Where a tool sends people back to, perhaps with something to tell them.
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
