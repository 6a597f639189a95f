import { AnalyticsCacheModel } from '../../server/src/records/grading/analytics.model.ts'
import { withInvalidation } from '../../server/src/records/grading/analytics-invalidation.ts'
import type { RunningServer } from '../../server/src/start.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'
import type { BenchReport } from './bench-report.ts'
import { buildStudents, type SeededCourse, seedCourse } from './seed-course.ts'
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
