import type { Request, RequestHandler, Response } from 'express'
import type { Course, Person } from '../data/lms-data.ts'
import type { Link } from '../data/records.ts'
import { roleUri } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { Html, html } from './html.ts'
import { weightyFoot, weightyHead } from './page-weight.ts'

const style = new Html(`
:root { --green: #1f4d3a; --line: #d5dad3; --dim: #55605a; --sheet: #fff; --ground: #f3f5f1 }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: #1c2320; font: 15px/1.5 system-ui, sans-serif }
header { background: var(--green); color: #fff; padding: 10px 20px; display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: center }
header a { color: #fff; text-decoration: none } header .who { margin-left: auto; font-size: 14px }
header .school { font-weight: 600 } header .kind { opacity: .8; font-size: 13px }
main { max-width: 64rem; margin: 0 auto; padding: 20px }
h1 { font-size: 22px; margin: 8px 0 4px } h2 { font-size: 16px; margin: 24px 0 8px } p { margin: 4px 0 12px }
.dim { color: var(--dim) } .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: 4px 16px; margin: 8px 0 }
.sheet > .row { padding: 10px 0; border-bottom: 1px solid var(--line) } .sheet > .row:last-child { border: 0 } .sheet > h2 { margin-top: 8px }
.grow { flex: 1 1 12rem }
a { color: var(--green) } button, .button { font: inherit; padding: 5px 12px; border: 1px solid var(--green); border-radius: 4px;
  background: #fff; color: var(--green); cursor: pointer; text-decoration: none; display: inline-block }
button.main, .button.main { background: var(--green); color: #fff }
:focus-visible { outline: 3px solid #e0a526; outline-offset: 1px }
form { margin: 0 } label { display: block; font-size: 14px; margin: 8px 0 } input, select { font: inherit; padding: 5px 8px; width: 100%;
  border: 1px solid #9aa59f; border-radius: 4px; background: #fff }
table { border-collapse: collapse; background: #fff; width: 100% } th, td { border: 1px solid var(--line); padding: 6px 10px; text-align: left; vertical-align: top }
.scroll { overflow-x: auto } iframe.tool { width: 100%; height: 720px; border: 1px solid var(--line); background: #fff; display: block }
code { font-size: 13px; overflow-wrap: anywhere } .bad { border-left: 4px solid #a3271f; padding-left: 12px }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 8px 0 } dt { color: var(--dim) } dd { margin: 0 }
@media (max-width: 600px) { dl { grid-template-columns: 1fr } main { padding: 12px } main.wide { padding: 8px } }
main.wide { max-width: none }
`)

interface Page {
  title: string
  person?: Person | null
  /** For an activity. */
  wide?: boolean
  body: Html
}

export function page(lms: Platform, { title, person, wide, body }: Page): string {
  const admin = person && lms.isAdmin(person)
  const weighs = wide && lms.settings.pagesWeigh
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Northfield</title><link rel="icon" href="data:,"><style>${style}</style>${weighs ? weightyHead : ''}</head><body>
<header><a class="school" href="/">Northfield School</a><span class="kind">an LMS for trying things out, in the manner of ${
    lms.kind.name === 'moodle' ? 'Moodle' : 'Canvas'
  }</span>
${person ? html`<span class="who">${person.name} ${admin ? html`· <a href="/admin">Administration</a>` : ''} · <a href="/">Be somebody else</a></span>` : ''}
</header>
<main${wide ? html` class="wide"` : ''}>${body}</main>${weighs ? weightyFoot : ''}</body></html>`.text
}

export const notice = (text: string) => (text ? html`<p class="sheet" role="status">${text}</p>` : '')

/** Cookies go by host, not by port: two LMSs must not share one. */
const cookieName = (lms: Platform) => `lms-person-${new URL(lms.url).port}`

export function signInAs(lms: Platform, response: Response, person: Person): void {
  response.cookie(cookieName(lms), person.id, { httpOnly: true, sameSite: 'lax' })
}

function signedInPerson(lms: Platform, request: Request): Person | null {
  const name = `${cookieName(lms)}=`
  const pair = request.headers.cookie?.split('; ').find((one) => one.startsWith(name))
  return lms.people.get(decodeURIComponent(pair?.slice(name.length) ?? '')) ?? null
}

export const fieldsOf = (request: Request) => new URLSearchParams(String(request.body))

const teaches = (course: Course, person: Person) =>
  (course.members.get(person.id)?.roles ?? []).some((role) => roleUri(role) !== roleUri('Learner'))

export interface Visit {
  request: Request
  response: Response
  person: Person
}

export function requirePerson(lms: Platform, show: (visit: Visit) => void): RequestHandler {
  return (request, response) => {
    const person = signedInPerson(lms, request)
    if (!person) return void response.redirect('/')
    show({ request, response, person })
  }
}

export function requireCourseMember(
  lms: Platform,
  show: (visit: Visit & { course: Course; teacher: boolean }) => void,
): RequestHandler {
  return requirePerson(lms, (visit) => {
    const course = lms.courses.get(String(visit.request.params.courseId))
    if (!course || !(course.members.has(visit.person.id) || lms.isAdmin(visit.person))) return notFound(lms, visit)
    show({ ...visit, course, teacher: teaches(course, visit.person) || lms.isAdmin(visit.person) })
  })
}

export function linkIn(lms: Platform, course: Course, id: string): Link | null {
  const link = lms.links.get(id)
  return link?.course === course ? link : null
}

export function notFound(lms: Platform, { response, person }: Visit): void {
  const body = html`<h1>There is no such page</h1><p>Or it is not for you.</p>`
  response.status(404).send(page(lms, { title: 'Not found', person, body }))
}
