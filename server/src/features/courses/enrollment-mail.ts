import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { mailedName } from '../notifications/mailed-name.ts'
import { notify } from '../notifications/notify.ts'

type MailServices = Pick<Services, 'mail' | 'config'>

/** For students who have an account; the others are invited. */
export async function notifyEnrolled(course: CourseDoc, users: UserDoc[], services: MailServices): Promise<void> {
  const link = `${services.config.publicUrl}/student/courses/${course._id}`
  const name = mailedName(course.name, 'a course')
  const text = `You are now enrolled in the course “${name}”. Open it here:\n\n${link}`
  await mailStudents(users, `You are enrolled in ${name}`, text, `enrolled/${course._id}`, services)
}

export async function notifyAsked(course: CourseDoc, users: UserDoc[], services: MailServices): Promise<void> {
  const name = mailedName(course.name, 'A course')
  const text = `“${name}” would like to enrol you. Accept or decline in your courses:\n\n${services.config.publicUrl}/student/courses`
  await mailStudents(users, `${name} would like to enrol you`, text, `asked/${course._id}`, services)
}

const mailStudents = (users: UserDoc[], subject: string, text: string, key: string, services: MailServices) =>
  notify(
    users,
    'courses',
    (user) => {
      const name = mailedName(user.full_name ?? '', mailedName(user.username, 'student'))
      return { subject, text: `Hello ${name},\n\n${text}` }
    },
    key,
    services,
  )
