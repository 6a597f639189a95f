import type { Request, RequestHandler, Response } from 'express'
import type { Course, Link, Person } from '../data/lms-data.ts'
import { roleUri } from '../lti-constants.ts'
import type { Platform } from '../platform.ts'
import { html } from './html.ts'
import { page } from './layout.ts'

/** Cookies go by host, not by port: two LMSes at once must not share one. */
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

/** Others are asked who they are first. */
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
