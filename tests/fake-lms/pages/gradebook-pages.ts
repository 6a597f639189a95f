import type { Express } from 'express'
import type { Course, Person } from '../data/lms-data.ts'
import type { LineItem } from '../data/records.ts'
import { roleUri } from '../lms-kinds.ts'
import type { Platform } from '../platform.ts'
import { html } from './html.ts'
import { notFound, page, requireCourseMember } from './layout.ts'

const MAX_SHOWN = 60

const rounded = (points: number) => String(Math.round(points * 100) / 100)

function cell(item: LineItem, person: Person) {
  const grade = item.grades.get(person.id)
  const open = item.link
    ? html`<br><a href="/courses/${item.course.id}/grades/${item.id}/${person.id}">Open in ${item.deployment.tool.name}</a>`
    : ''
  if (!grade) return html`<td><span class="dim">–</span>${open}</td>`
  return html`<td>${grade.points === null ? html`<span class="dim">no grade</span>` : rounded(grade.points)}
${grade.comment ? html`<br><span class="dim">${grade.comment}</span>` : ''}${open}</td>`
}

function studentsOf(course: Course): Person[] {
  return [...course.members.values()]
    .filter(({ roles }) => roles.some((role) => roleUri(role) === roleUri('Learner')))
    .map(({ person }) => person)
}

export function addGradebookPages(app: Express, lms: Platform): void {
  app.get(
    '/courses/:courseId/grades',
    requireCourseMember(lms, (visit) => {
      const { response, person, course, teacher } = visit
      if (!teacher) return notFound(lms, visit)
      const items = [...lms.lineItems.values()].filter((item) => item.course === course)
      const students = studentsOf(course)
      const body = html`<p><a href="/courses/${course.id}">‹ ${course.title}</a></p><h1>Gradebook</h1>
<div class="scroll"><table><thead><tr><th scope="col">Student</th>${items.map(
        ({ label, scoreMaximum }) =>
          html`<th scope="col">${label} <span class="dim">of ${rounded(scoreMaximum)}</span></th>`,
      )}</tr></thead><tbody>${students
        .slice(0, MAX_SHOWN)
        .map(
          (student) => html`<tr><th scope="row">${student.name}</th>${items.map((item) => cell(item, student))}</tr>`,
        )}</tbody></table></div>
${items.length === 0 ? html`<p class="dim">There are no columns yet. A tool makes one with its link.</p>` : ''}
${students.length > MAX_SHOWN ? html`<p class="dim">And ${students.length - MAX_SHOWN} students more.</p>` : ''}`
      response.send(page(lms, { title: 'Gradebook', person, wide: true, body }))
    }),
  )
}
