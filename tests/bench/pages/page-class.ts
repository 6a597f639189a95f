import type { RunningServer } from '../../../server/src/start.ts'
import {
  buildAssignment,
  correctAnswers,
  drawPaper,
  gradeAssignment,
} from '../../../server/src/testing/build-course.ts'
import { buildManySubmissions } from '../../../server/src/testing/build-many-submissions.ts'
import { buildGradedStudents } from '../../../server/src/testing/graded-student.ts'
import type { Api } from '../../../server/src/testing/server.ts'

export interface BenchPage {
  name: string
  path: string
  token: string | null
  firstRow: string
}

interface PageClass {
  signIn: BenchPage
  dashboard: BenchPage
  submissions: BenchPage
  review: BenchPage
  questions: BenchPage
  studentResult: BenchPage
}

export async function buildPageClass({ services }: RunningServer, api: Api, rows: number): Promise<PageClass> {
  const graded = await buildGradedStudents(api, services)
  const { owner: instructor, courseId, assignmentId } = graded
  const large = await buildAssignment(api, { instructor, courseId }, [
    { name: 'ada.pdf', bytes: await drawPaper({ full_name: 'Ada Lovelace' }, correctAnswers) },
  ])
  await gradeAssignment(api, instructor, large.assignmentId)
  await buildManySubmissions(large.assignmentId, rows)
  const teacher = (await api.as(instructor).token()) ?? null
  const student = (await api.as(graded.person).token()) ?? null
  const list = `/assignments/${large.assignmentId}/submissions`
  const page = (name: string, path: string, token: string | null, firstRow: string) => ({ name, path, token, firstRow })
  return {
    signIn: page('sign-in', '/auth/login', null, 'main button[type=submit]'),
    dashboard: page('dashboard', '/dashboard', teacher, 'main article a, main li a'),
    submissions: page('submissions', list, teacher, 'main tbody tr, main [data-card]'),
    review: page('review', `${list}/${large.submissionIds[0]}`, teacher, 'main h1'),
    questions: page('questions', `/assignments/${assignmentId}/questions`, teacher, 'main ol li a'),
    studentResult: page('student result', `/student/assignments/${assignmentId}`, student, 'main ol > li'),
  }
}
