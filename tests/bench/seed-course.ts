import { setTimeout as after } from 'node:timers/promises'
import { publishAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import type { CriterionGrade } from '@assay/shared/grades.ts'
import { requireCourse } from '../../server/src/features/courses/course.service.ts'
import { addEnrollment } from '../../server/src/features/courses/enrollment.service.ts'
import { nextId } from '../../server/src/lib/database/database.ts'
import { JobModel } from '../../server/src/lib/jobs/job.model.ts'
import { AssignmentModel } from '../../server/src/records/assignments/assignment.model.ts'
import { buildAssignment, buildPerson } from '../../server/src/testing/build-course.ts'
import { buildManySubmissions } from '../../server/src/testing/build-many-submissions.ts'
import type { Api, Person } from '../../server/src/testing/server.ts'

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

export interface SeededCourse {
  courseId: number
  assignmentIds: number[]
  papers: number
}

/** Mostly inserted directly into the database. */
export async function seedCourse(
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
    await buildManySubmissions(id, students.length, {
      studentIds: students,
      graded: 1,
      criteria: criteriaOf,
    })
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

export async function buildStudents(count: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < count; i++) people.push(await buildPerson('student', { full_name: `Student ${i}` }))
  return people
}
