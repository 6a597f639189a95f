import { randomUUID } from 'node:crypto'
import { registerInstructor, registerStudent } from '@assay/shared/auth.ts'
import { enrolStudent } from '@assay/shared/courses.ts'
import type { Api, Person } from '../../../server/src/testing/api.ts'
import { firstAdminPassword } from '../../fake-lms/fake-lms.ts'
import type { Product } from './product.ts'

export const PASSWORD = 'Some-Good-7-Phrase'

/** Journeys share the product, so usernames must differ. */
export const unique = (name: string) => `${name}-${randomUUID().slice(0, 6)}`

export const emailOf = (username: string) => `${username}@school.example`

export async function registerPerson(
  api: Api,
  role: 'instructor' | 'student',
  name: string,
  full_name?: string,
): Promise<Person> {
  const username = unique(name)
  const account = { username, email: emailOf(username), password: PASSWORD, ...(full_name ? { full_name } : {}) }
  const { status, body, text } = await (role === 'student'
    ? api.nobody.send(registerStudent, { body: account })
    : api.nobody.send(registerInstructor, { body: { ...account, role } }))
  if (status !== 201) throw new Error(`${username} could not register: ${text}`)
  return { id: body.id, username, password: PASSWORD }
}

/** By the administrator: a teacher may name only people they know by ID, and these have no confirmed address. */
export async function enrol(product: Pick<Product, 'api' | 'dataDir'>, courseId: number, student: Person) {
  const admin = product.api.as(await firstAdmin(product))
  const { status, text } = await admin.send(enrolStudent, { params: { courseId }, body: { user_id: student.id } })
  if (status !== 201) throw new Error(`${student.username} could not be enrolled: ${text}`)
}

export async function firstAdmin({ dataDir }: Pick<Product, 'dataDir'>): Promise<Person> {
  return { id: 0, username: 'admin', password: await firstAdminPassword(dataDir) }
}
