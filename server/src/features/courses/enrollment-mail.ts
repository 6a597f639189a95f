import type { CourseDoc } from '../../records/courses/course.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { Services } from '../../services.ts'
import { mailedName } from '../notifications/mailed-name.ts'
import { notify } from '../notifications/notify.ts'

/** For students who have an account; the others are invited. */
export async function notifyEnrolled(
  course: CourseDoc,
  users: UserDoc[],
  services: Pick<Services, 'mail' | 'config'>,
): Promise<void> {
  const link = `${services.config.publicUrl}/student/courses/${course._id}`
  const name = mailedName(course.name, 'a course')
  await notify(
    users,
    'courses',
    (user) => ({
      subject: `You are enrolled in ${name}`,
      text: `Hello ${mailedName(user.full_name ?? '', mailedName(user.username, 'student'))},\n\nYou are now enrolled in the course “${name}”. Open it here:\n\n${link}`,
    }),
    `enrolled/${course._id}`,
    services,
  )
}
