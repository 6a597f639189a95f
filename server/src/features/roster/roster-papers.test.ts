import { listCourseStudents } from '@assay/shared/courses.ts'
import { addStudentsFromCsv, previewRosterCsv } from '@assay/shared/roster.ts'
import { listSubmissions } from '@assay/shared/submissions.ts'
import { describe, expect, it } from 'vitest'
import { buildAssignment, buildCourse, drawPaper, gradeAssignment } from '../../testing/build-course.ts'
import { rosterExports } from '../../testing/roster-exports.ts'
import { useTestApi } from '../../testing/server.ts'
import { classOfTwenty, writeRoster } from '../../testing/write-roster.ts'

const { api } = useTestApi()

const names = classOfTwenty.map(({ first, last }) => `${first} ${last}`)

/** Imports a file with the columns as they are guessed. */
async function importClass(form: (typeof rosterExports)[number]) {
  const { instructor, courseId } = await buildCourse(api, { students: 0 })
  const teacher = api.as(instructor)
  const files = { file: [{ name: 'export.csv', bytes: writeRoster(form, classOfTwenty) }] }
  const seen = await teacher.send(previewRosterCsv, { params: { courseId }, files })
  const columns = JSON.stringify(seen.body.columns.map(({ meaning }) => meaning))
  const body = { columns, invite: 'no' as const }
  const added = await teacher.send(addStudentsFromCsv, { params: { courseId }, body, files })
  expect(added.body).toMatchObject({ successful_enrollments: 20, failed_enrollments: 0 })
  return { instructor, teacher, courseId }
}

async function importAndOpen(form: (typeof rosterExports)[number], papers: Parameters<typeof buildAssignment>[2]) {
  const { instructor, teacher, courseId } = await importClass(form)
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, papers)
  const owners = async () => {
    const rows = await teacher.send(listSubmissions, { params: { assignmentId }, query: { limit: 100 } })
    return new Map(rows.body.map((row) => [row.file_name, row.student?.full_name ?? null]))
  }
  return { instructor, assignmentId, owners }
}

describe('a class from an export', () => {
  it.each(rosterExports)('of $form has the names that papers are matched by, all 20', async (form) => {
    const { teacher, courseId } = await importClass(form)
    const { body } = await teacher.send(listCourseStudents, { params: { courseId }, query: { limit: 100 } })
    expect(body.map(({ full_name }) => full_name).toSorted()).toEqual(names.toSorted())
  })

  it('has the papers whose names are printed on them, all 20', async () => {
    const [form] = rosterExports
    if (!form) throw new Error('there are forms')
    const papers = await Promise.all(
      names.map(async (name, i) => ({
        name: `scan-${String.fromCharCode(97 + i)}.pdf`,
        bytes: await drawPaper({ full_name: name }, ['4']),
      })),
    )
    const { instructor, assignmentId, owners } = await importAndOpen(form, papers)
    expect([...(await owners()).values()].filter(Boolean)).toEqual([])
    await gradeAssignment(api, instructor, assignmentId)
    expect(await owners()).toEqual(new Map(papers.map(({ name }, i) => [name, names[i]])))
  })

  it('has the papers on which numbers are printed and no names, all 20', async () => {
    const brightspace = rosterExports.find(({ system }) => system === 'Brightspace')
    if (!brightspace) throw new Error('one of the forms')
    const papers = await Promise.all(
      classOfTwenty.map(async ({ number }, i) => ({
        name: `scan-${String.fromCharCode(97 + i)}.pdf`,
        bytes: await drawPaper({ full_name: '', student_number: number }, ['4']),
      })),
    )
    const { instructor, assignmentId, owners } = await importAndOpen(brightspace, papers)
    await gradeAssignment(api, instructor, assignmentId)
    expect(await owners()).toEqual(new Map(papers.map(({ name }, i) => [name, names[i]])))
  })

  it('of a system without addresses has the papers that are named by numbers', async () => {
    const blackboard = rosterExports.find(({ system }) => system === 'Blackboard')
    if (!blackboard) throw new Error('one of the forms')
    const papers = await Promise.all(
      classOfTwenty.map(async (one) => ({
        name: `quiz_${one.number}.pdf`,
        bytes: await drawPaper({ full_name: '' }, [one.number]),
      })),
    )
    const { owners } = await importAndOpen(blackboard, papers)
    expect(await owners()).toEqual(new Map(papers.map(({ name }, i) => [name, names[i]])))
  })
})
