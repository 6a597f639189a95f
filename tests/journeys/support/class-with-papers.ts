import { createAssignment } from '@assay/shared/assignments.ts'
import { createCourse } from '@assay/shared/courses.ts'
import type { Person } from '../../../server/src/testing/api.ts'
import { drawBlank, drawKey } from '../../papers/draw-papers.ts'
import type { DrawnAssignment } from '../../papers/drawn-assignment.ts'
import { enrol, registerPerson } from './people.ts'
import type { Product } from './product.ts'

/** An assignment with its blank and key, for papers to be printed and scanned. */
export async function buildClassWithPapers(
  product: Pick<Product, 'api' | 'dataDir'>,
  names: readonly string[],
  quiz: DrawnAssignment,
): Promise<{ teacher: Person; students: Person[]; params: { assignmentId: number } }> {
  const { api } = product
  const teacher = await registerPerson(api, 'instructor', 'noor', 'Noor Haddad')
  const course = await api.as(teacher).send(createCourse, { body: { name: 'Science 9a' } })
  const students = []
  for (const name of names) {
    const student = await registerPerson(api, 'student', name.split(' ')[0]?.toLowerCase() ?? '', name)
    await enrol(product, course.body.id, student)
    students.push(student)
  }
  const { body } = await api.as(teacher).send(createAssignment, {
    body: { name: quiz.title, course_id: course.body.id },
    files: {
      blank_pdf: [{ name: 'blank.pdf', bytes: await drawBlank(quiz) }],
      answer_key_pdf: [{ name: 'key.pdf', bytes: await drawKey(quiz) }],
    },
  })
  return { teacher, students, params: { assignmentId: body.id } }
}
