import type { Express } from 'express'
import type { Person } from '../data/lms-data.ts'
import { roleUri, shortRole } from '../lti-constants.ts'
import type { Platform } from '../platform.ts'
import { html } from './html.ts'
import { page } from './layout.ts'
import { requirePerson, signInAs } from './visit.ts'

/** More would be no choice; the others are found under /as/{id}. */
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
