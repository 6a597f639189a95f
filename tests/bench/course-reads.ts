import { setTimeout as after } from 'node:timers/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import type { CriterionGrade } from '@assay/shared/grades.ts'
import { requireCourse } from '../../server/src/features/courses/course.service.ts'
import { addEnrollment } from '../../server/src/features/courses/enrollment.service.ts'
import { nextId } from '../../server/src/lib/database/database.ts'
import { JobModel } from '../../server/src/lib/jobs/job.model.ts'
import { AssignmentModel } from '../../server/src/records/assignments/assignment.model.ts'
import { AnalyticsCacheModel } from '../../server/src/records/grading/analytics.model.ts'
import { withInvalidation } from '../../server/src/records/grading/analytics-invalidation.ts'
import type { RunningServer } from '../../server/src/start.ts'
import { buildAssignment, buildPerson } from '../../server/src/testing/build-course.ts'
import { buildManySubmissions } from '../../server/src/testing/build-many-submissions.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'
import type { BenchReport } from './bench-report.ts'
import { median } from './statistics.ts'

const SMALL = 100
const LARGE = 1000
const ASSIGNMENTS = 20
const ROUNDS = 15

interface Read {
  what: string
  /** For the larger course's time divided by the smaller's; null where it is only reported. */
  goal: number | null
  urls: (course: SeededCourse) => string[]
  before?: (course: SeededCourse) => Promise<unknown>
}

const submissions = ({ assignmentIds: [id] }: SeededCourse) => `/assignments/${id}/submissions`
const analytics = ({ courseId }: SeededCourse) => `/analytics/courses/${courseId}`

const pages = (url: string, rows: number) =>
  Array.from({ length: Math.ceil(rows / 500) }, (_, page) => `${url}?limit=500&skip=${page * 500}`)

const reads: Read[] = [
  { what: 'a page of 50 submissions', goal: 1.5, urls: (course) => [`${submissions(course)}?limit=50`] },
  { what: 'course figures', goal: 1.5, urls: (course) => [`${analytics(course)}/overall`] },
  { what: 'grade distribution', goal: 1.5, urls: (course) => [`${analytics(course)}/grade_distribution`] },
  {
    what: 'questions of one assignment',
    goal: 1.5,
    urls: (course) => [`${analytics(course)}/questions?assignment_id=${course.assignmentIds[0]}`],
  },
  { what: 'a page of 50 students', goal: 1.5, urls: (course) => [`${analytics(course)}/students?limit=50`] },
  {
    what: 'course figures after one grade has changed',
    goal: null,
    urls: (course) => [`${analytics(course)}/overall`],
    before: ({ assignmentIds: [id = 0] }) => withInvalidation([`assignment/${id}`], async () => {}),
  },
  {
    what: 'course figures from nothing',
    goal: LARGE / SMALL,
    urls: (course) => [`${analytics(course)}/overall`],
    before: () => AnalyticsCacheModel.deleteMany({}),
  },
  {
    what: 'the whole list of submissions',
    goal: LARGE / SMALL,
    urls: (course) => pages(submissions(course), course.papers),
  },
  {
    what: 'all students of the table',
    goal: LARGE / SMALL,
    urls: (course) => pages(`${analytics(course)}/students`, course.papers),
  },
  {
    what: 'grades as CSV',
    goal: LARGE / SMALL,
    urls: ({ assignmentIds: [id] }) => [`/assignments/${id}/export/grades.csv`],
  },
]

async function measure(base: string, token: string, read: Read, course: SeededCourse): Promise<number> {
  const times: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    await read.before?.(course)
    const began = performance.now()
    for (const url of read.urls(course)) {
      const reply = await fetch(`${base}/api/v1${url}`, { headers: { authorization: `Bearer ${token}` } })
      if (!reply.ok) throw new Error(`${url} answered ${reply.status}`)
      await reply.arrayBuffer()
    }
    times.push(performance.now() - began)
  }
  return median(times.slice(1))
}

/** Median times over HTTP, on the embedded database. */
export async function courses({ heading, result }: BenchReport, { url }: RunningServer, api: Api, instructor: Person) {
  const students = await buildStudents(LARGE)
  const small = await seedCourse(api, instructor, students.slice(0, SMALL), ASSIGNMENTS)
  const large = await seedCourse(api, instructor, students, ASSIGNMENTS)
  const token = (await api.as(instructor).token()) ?? ''
  heading(`A course of ${SMALL} and one of ${LARGE} students, ${ASSIGNMENTS} assignments each`)
  for (const read of reads) {
    const [few, many] = [await measure(url, token, read, small), await measure(url, token, read, large)]
    const goal = read.goal === null ? '' : `, goal: at most ${read.goal}×`
    result(read.what, `${few.toFixed(1)} / ${many.toFixed(1)} ms`, `${(many / few).toFixed(1)}×${goal}`)
  }
}

const QUESTIONS = 5

function criteriaOf(paper: number): CriterionGrade[] {
  return Array.from({ length: QUESTIONS }, (_, question) => {
    const score = (paper * 7 + question * 3) % 5
    return {
      id: question + 1,
      criterion_id: `q${question + 1}.a`,
      question_id: `q${question + 1}`,
      criterion_text: `What question ${question + 1} asks for, in as many words as a criterion has`,
      score,
      max_score: 4,
      llm_performance_level: score === 4 ? 'excellent' : 'partial',
      llm_feedback: `You are on the way: “idea ${paper % 20}” belongs to the answer. What is missing is “idea ${paper % 3}”.`,
      confidence: 0.8,
      evidence: [{ page: 1, box: { x: 72, y: 100 * question, width: 400, height: 14 }, quote: 'What it rests on' }],
    }
  })
}

interface SeededCourse {
  courseId: number
  assignmentIds: number[]
  papers: number
}

/** Mostly inserted directly into the database. */
async function seedCourse(
  api: Api,
  instructor: Person,
  students: Person[],
  assignments: number,
): Promise<SeededCourse> {
  const created = await api.as(instructor).send(createCourse, { body: { name: `${students.length} students` } })
  const courseId = created.body.id
  const course = await requireCourse(courseId)
  for (const student of students) await addEnrollment(course, student.id, { added_by: 'teacher' }, new Date())
  const { assignmentId } = await buildAssignment(api, { instructor, courseId }, [])
  const first = await AssignmentModel.findById(assignmentId).lean()
  if (!first) throw new Error('no assignment')
  const assignmentIds = [assignmentId]
  for (let i = 1; i < assignments; i++) {
    const _id = await nextId('assignments')
    await AssignmentModel.create({ ...first, _id, title: `${first.title} ${i + 1}` })
    assignmentIds.unshift(_id)
  }
  for (const id of assignmentIds) {
    await buildManySubmissions(id, students.length, { studentIds: students, graded: 1, criteria: criteriaOf })
    const published = await api.as(instructor).send(publishAssignment, { params: { assignmentId: id } })
    if (published.status !== 200) throw new Error(`not published: ${published.text}`)
  }
  await dropMails()
  return { courseId, assignmentIds, papers: students.length }
}

/** Mails about grades would run for minutes beside whatever is measured. */
async function dropMails(): Promise<void> {
  const mails = { name: { $in: ['tell-released', 'send-mail'] } }
  while (await JobModel.exists(mails)) {
    await JobModel.deleteMany({ ...mails, status: 'queued' })
    await after(50)
  }
}

async function buildStudents(count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await buildPerson('student', { full_name: `Student ${i}` }))
  return people
}
