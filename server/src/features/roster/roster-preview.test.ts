import { deactivateUser } from '@assay/shared/admin.ts'
import { listCourseStudents } from '@assay/shared/courses.ts'
import {
  addStudentsFromCsv,
  getInvitationLimit,
  getRosterJob,
  listRosterJobs,
  previewRosterCsv,
  type RosterJob,
  stopRosterJob,
} from '@assay/shared/roster.ts'
import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'
import { describe, expect, it } from 'vitest'
import { AuditModel } from '../../audit/audit.service.ts'
import { EnrollmentModel } from '../../records/courses/course.model.ts'
import { UserModel } from '../../records/people/user.model.ts'
import { buildCourse, buildPerson } from '../../testing/build-course.ts'
import { rosterExports } from '../../testing/roster-exports.ts'
import { type Caller, useTestApi } from '../../testing/server.ts'
import { classOfTwenty, writeRoster } from '../../testing/write-roster.ts'
import { previewRoster } from './roster.routes.ts'
import { parseRoster } from './roster-csv.ts'

const { api } = useTestApi()

const preview = (text: string | Buffer, meanings?: ColumnMeaning[]) => previewRoster(Buffer.from(text), meanings)
const meaningsOf = async (text: string) => (await preview(text)).columns.map(({ meaning }) => meaning)

const upperCase = ([header = [], ...rows]: string[][]) => [header.map((one) => one.toUpperCase()), ...rows]
const underscored = ([header = [], ...rows]: string[][]) => [
  header.map((one) => one.toLowerCase().replaceAll(' ', '_')),
  ...rows,
]
const reversed = (rows: string[][]) => rows.map((cells) => cells.toReversed())

/** What spreadsheets do to a file. */
const ways: { way: string; change: Parameters<typeof writeRoster>[2] }[] = [
  { way: 'as its system writes it', change: {} },
  { way: 'with its columns the other way round, in capitals', change: { table: (rows) => upperCase(reversed(rows)) } },
  {
    way: 'with small headings, by semicolons, every cell in quotation marks',
    change: { table: underscored, format: { delimiter: ';', allQuoted: true } },
  },
  { way: 'as Unicode text of a spreadsheet', change: { format: { delimiter: '\t', encoding: 'utf16' } } },
  { way: 'with a byte order mark', change: { format: { encoding: 'utf8 with mark' } } },
]

describe.each(ways)('an exported file, $way,', ({ change }) => {
  it.each(rosterExports)('of $form is understood', async (one) => {
    const read = await preview(writeRoster(one, classOfTwenty, change))
    expect(read).toMatchObject({ system: one.system, problem: null, students: 20, refused: [], refused_total: 0 })
    expect(read.without_email).toBe(one.addresses ? 0 : 20)
    expect(read.first_students.map(({ full_name, student_number }) => ({ full_name, student_number }))).toEqual(
      classOfTwenty
        .slice(0, 5)
        .map(({ first, last, number }) => ({
          full_name: `${first} ${last}`,
          student_number: one.numbers ? number : null,
        })),
    )
    expect(JSON.stringify(read)).not.toContain('secret-word')
  })
})

describe('an exported file', () => {
  const notesOf = async (form: string) => {
    const [one] = rosterExports.filter((other) => other.form.startsWith(form))
    return (await preview(one ? writeRoster(one, classOfTwenty) : '')).notes
  }

  it('says which rows are no students', async () => {
    expect(await notesOf('Canvas')).toEqual([
      'Left out, as they are no students: “Points Possible” in row 3, “Student, Test” in row 24, 1 row with nothing in the columns used.',
    ])
    expect(await notesOf('Blackboard')).toEqual(['Left out, as they are no students: “Okoro_PreviewUser” in row 22.'])
    expect(await notesOf('Google Classroom')).toEqual([
      'Left out, as they are no students: “Date” in row 2, “Points” in row 3, “Class Average” in row 4.',
    ])
  })

  it('takes Date, Weight and Mean with a first name for people', async () => {
    const read = await preview('First name,Surname,ID number\nSunil,Date,1\nTom,Weight,2\nAnne,Mean,3\n,Points,\n')
    expect(read.first_students.map(({ full_name }) => full_name)).toEqual(['Sunil Date', 'Tom Weight', 'Anne Mean'])
    expect(read.notes).toEqual(['Left out, as they are no students: “Points” in row 5.'])
  })

  it('leaves out whom a column Role makes no student, and says so', async () => {
    const staff = ['Teacher', 'TA', 'Observer', 'Non-editing teacher', 'Course Designer', 'Parent']
    const rows = ['Student', 'learner', '', ...staff].map((role, i) => `Person ${i},p${i}@school.example,${role}`)
    const text = ['Name,Email,Role', ...rows].join('\n')
    for (const read of [await preview(text), await parseRoster(Buffer.from(text))]) {
      expect('rows' in read ? read.rows.length : read.students).toBe(3)
      expect(read.notes).toEqual([
        expect.stringMatching(/^Left out, as they are no students: “Person 3 \(Teacher\)” in row 5, .*, 1 more\.$/),
      ])
    }
  })

  it('refuses numbers that a spreadsheet has shortened, with the reason', async () => {
    const read = await preview('Name,Student number\nAda Byron,1.23E+11\nBen Roth,"1,23456E+15"\nCy Stone,12E3\n')
    expect(read.students).toBe(1)
    const message = expect.stringContaining('Student number: A spreadsheet has shortened this number')
    expect(read.refused).toMatchObject([2, 3].map((row) => ({ row, message })))
  })

  it('may have rows above the one that names its columns, and counts them', async () => {
    expect(await notesOf('PowerSchool, a scores')).toEqual([
      'Row 8 names the columns, so the rows above it were left out.',
    ])
    const read = await preview('Class:,8b\n\nName,Email\nAda Byron,no address\nBen Roth,ben@school.example\n')
    expect(read.first_students).toMatchObject([{ row: 5, full_name: 'Ben Roth' }])
    expect(read.refused).toMatchObject([{ row: 4 }])
  })
})

describe('a long file', () => {
  it('is read in time that grows as its rows do', async () => {
    const rows = Array.from({ length: 5000 }, (_, i) => `"Lovelace ${i}, Ada",${i},${i},login${i},Physics;1,90`)
    const seen = await preview(['Student,ID,SIS User ID,SIS Login ID,Section,Quiz', ...rows].join('\n'))
    expect(seen).toMatchObject({ system: 'Canvas', problem: null, students: 5000, refused: [] })
    expect(seen.first_students).toHaveLength(5)
  })
})

describe('what a column holds', () => {
  it('is guessed by its heading in any order and case, and by its cells where the heading leaves it open', async () => {
    expect(await meaningsOf('USER NAME,SIS ID,Given_Name\nada@school.example,1,Ada\n')).toEqual([
      'email',
      'student_number',
      'first_name',
    ])
    // In a small class the test student's login is a good part of the cells.
    const logins = 'Student,SIS Login ID\nPoints Possible,\n"Byron, Ada",ada@school.example\n"Student, Test",1f3c\n'
    expect(await meaningsOf(logins)).toEqual(['full_name', 'email'])
    expect(await meaningsOf('Username,Name,ID\nada,Ada,1\n')).toEqual(['lms_user_id', 'full_name', 'student_number'])
    for (const number of ['Adno', 'UPN', 'Candidate number', 'Admission No.', 'No'])
      expect(await meaningsOf(`Name,${number}\nAda,5001\n`)).toEqual(['full_name', 'student_number'])
    expect(await meaningsOf('No,Name\n1,Ada\n2,Ben\n')).toEqual(['unused', 'full_name'])
    expect(await meaningsOf('Notes,Guardian email\nx,y@home.example\n')).toEqual(['unused', 'unused'])
  })

  it('is the teacher’s to change, once for each meaning', async () => {
    const text = 'a,b,c\nLovelace,Ada,42\n,,43\n'
    const unknown = await preview(text)
    expect(unknown.problem).toBe(
      'Students need an email address or a name. Set one of the columns to “Email”, “Full name” or “Last name”.',
    )
    expect(unknown.columns[0]).toEqual({ index: 0, heading: 'a', meaning: 'unused', samples: ['Lovelace'] })
    const set = await preview(text, ['last_name', 'first_name', 'student_number'])
    expect(set).toMatchObject({ problem: null, students: 1, without_email: 1 })
    expect(set.first_students).toMatchObject([{ row: 2, full_name: 'Ada Lovelace', student_number: '42' }])
    expect(set.refused).toEqual([{ row: 3, email: '', message: 'Name is required' }])
    const twice = await preview(text, ['last_name', 'last_name'])
    expect(twice.problem).toBe('Two columns are set to “Last name”. Keep one of them.')
  })

  it('does not take one of two students of the same name for the other', async () => {
    const text = 'Name,Email\nAda King,\nAda King,\nAda King,king@school.example\n'
    const { students, refused } = await preview(text)
    expect(students).toBe(2)
    expect(refused).toEqual([
      {
        row: 3,
        email: '',
        message:
          'This name is already in row 2. Tell two students of one name apart by a student number or an email address.',
      },
    ])
  })
})

describe('the call', () => {
  it('stores nothing, and reads the file by the columns it is given', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const files = { file: [{ name: 'gradebook.xls', bytes: 'Label,Login\nAda,ada@stored.example\n' }] }
    const columns = JSON.stringify(['full_name', 'email'])
    const params = { courseId }
    const seen = await teacher.send(previewRosterCsv, { params, body: { columns }, files })
    expect(seen.body).toMatchObject({ students: 1, without_email: 0 })
    expect(await EnrollmentModel.countDocuments({ course_id: courseId })).toBe(0)
    expect(await UserModel.countDocuments({ email_key: 'ada@stored.example' })).toBe(0)
    expect(await AuditModel.countDocuments({ action: 'roster.uploaded', 'subject.course_id': courseId })).toBe(0)
    const added = await teacher.send(addStudentsFromCsv, { params, body: { columns, invite: 'no' }, files })
    expect(added.body).toMatchObject({ successful_enrollments: 1, failed_enrollments: 0 })
  })

  it.each([
    ['not json', 'columns must be a JSON list of meanings.'],
    ['["phone"]', 'Invalid option'],
    ['["unused"]', 'Students need an email address or a name.'],
    ['["email","email"]', 'Two columns are set to “Email”.'],
  ])('refuses the columns %s', async (columns, words) => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const files = { file: [{ name: 'a.csv', bytes: 'email\nada@school.example\n' }] }
    const reply = await api.as(instructor).send(addStudentsFromCsv, { params: { courseId }, body: { columns }, files })
    expect(reply.status).toBe(422)
    expect(reply.text).toContain(words)
  })
})

let rosters = 0
/** Good rows, then bad ones, which are cheap, to make it long. */
function rosterOf(rows: number, bad = 1000): string {
  const name = `r${++rosters}`
  const good = Array.from({ length: rows }, (_, i) => `${name}-${i}@job.example,S${i}`)
  return `email,sis_user_id\n${[...good, ...Array.from({ length: bad }, (_, i) => `no-address-${i},X`)].join('\n')}\n`
}

async function upload(teacher: Caller, courseId: number, bytes: string): Promise<number> {
  const sent = await teacher.send(addStudentsFromCsv, {
    params: { courseId },
    files: { file: [{ name: 'school.csv', bytes }] },
  })
  if (!sent.body.job_id) throw new Error(`no job: ${sent.text}`)
  return sent.body.job_id
}

async function until(teacher: Caller, params: { courseId: number; jobId: number }, when: (job: RosterJob) => boolean) {
  let last: RosterJob | undefined
  await expect
    .poll(
      async () => {
        last = (await teacher.send(getRosterJob, { params })).body
        return when(last)
      },
      { timeout: 180_000, interval: 20 },
    )
    .toBe(true)
  if (!last) throw new Error('asked at least once')
  return last
}

const totalOf = async (teacher: Caller, courseId: number) =>
  Number((await teacher.send(listCourseStudents, { params: { courseId } })).headers.get('x-total-count'))

describe('a roster of more than 1,000', () => {
  it('is imported by a job that reports its progress and which rows failed', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const jobId = await upload(teacher, courseId, rosterOf(120))
    const done = await until(teacher, { courseId, jobId }, ({ state }) => state !== 'running')
    expect(done).toMatchObject({
      state: 'done',
      file_name: 'school.csv',
      total_rows: 1120,
      total_processed: 1120,
      successful_enrollments: 120,
      failed_enrollments: 1000,
    })
    expect(done.results[0]).toMatchObject({ row: 122, email: 'no-address-0', success: false })
    expect(await totalOf(teacher, courseId)).toBe(120)
    const listed = await teacher.send(listRosterJobs, { params: { courseId } })
    expect(listed.body).toMatchObject([{ id: jobId, state: 'done' }])
    expect(listed.text).not.toContain('results')
  })

  it('mails nobody where its teacher said so', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const bytes = `email\nquiet@job.example\n${'no-address\n'.repeat(1000)}`
    const sent = await teacher.send(addStudentsFromCsv, {
      params: { courseId },
      body: { invite: 'no' },
      files: { file: [{ name: 'school.csv', bytes }] },
    })
    const params = { courseId, jobId: sent.body.job_id ?? 0 }
    const done = await until(teacher, params, ({ state }) => state !== 'running')
    expect(done).toMatchObject({ state: 'done', successful_enrollments: 1 })
    expect((await teacher.send(getInvitationLimit, { params: { courseId } })).body).toMatchObject({ left: 1000 })
  })

  it('can be stopped; those enrolled by then stay', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const params = { courseId, jobId: await upload(teacher, courseId, rosterOf(500)) }
    await until(teacher, params, ({ successful_enrollments: enrolled }) => enrolled > 0)
    const stopped = await teacher.send(stopRosterJob, { params })
    expect(stopped.body.state).toBe('stopped')
    expect(stopped.body.successful_enrollments).toBeLessThan(500)
    const before = await totalOf(teacher, courseId)
    expect(before).toBeGreaterThan(0)
    // It stays stopped while another course's job starts and ends.
    const other = await buildCourse(api, { students: 0 })
    const next = {
      courseId: other.courseId,
      jobId: await upload(api.as(other.instructor), other.courseId, rosterOf(60)),
    }
    await until(api.as(other.instructor), next, ({ state }) => state === 'done')
    expect(await totalOf(teacher, courseId)).toBe(before)
    expect((await teacher.send(getRosterJob, { params })).body.state).toBe('stopped')
  })

  it('stops when its uploader is deactivated', async () => {
    const { instructor, courseId } = await buildCourse(api, { students: 0 })
    const teacher = api.as(instructor)
    const admin = api.as(await buildPerson('admin'))
    await admin.token()
    const jobId = await upload(teacher, courseId, rosterOf(500))
    await until(teacher, { courseId, jobId }, ({ successful_enrollments: enrolled }) => enrolled > 0)
    await admin.send(deactivateUser, { params: { userId: instructor.id } })
    const ended = await until(admin, { courseId, jobId }, ({ state }) => state !== 'running')
    expect(ended.state).toBe('stopped')
    expect(ended.successful_enrollments).toBeLessThan(500)
  })
})
