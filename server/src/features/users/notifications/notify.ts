import type { NotificationPreferences, UserDoc } from '../../../records/people/user.model.ts'
import type { Services } from '../../../services.ts'

type NotificationKind = Exclude<keyof NotificationPreferences, 'email'>

export const ALL_NOTIFICATIONS: NotificationPreferences = { email: true, grades: true, courses: true, reminders: true }

export function wantsMail(user: UserDoc, kind: NotificationKind): boolean {
  const choices = { ...ALL_NOTIFICATIONS, ...user.notifications }
  return user.account === 'active' && user.email_verified_at != null && choices.email && choices[kind]
}

/** `key` names the event: a second call mails nobody while the first mail is queued. */
export async function notify(
  users: UserDoc[],
  kind: NotificationKind,
  compose: (user: UserDoc) => { subject: string; text: string },
  key: string,
  { mail, config }: Pick<Services, 'mail' | 'config'>,
): Promise<void> {
  const profile = (user: UserDoc) => `/${user.role === 'student' ? 'student' : 'instructor'}/profile`
  await mail.enqueue(
    users
      .filter((user) => wantsMail(user, kind))
      .map((user) => {
        const { subject, text } = compose(user)
        const footer = `You receive this because of your notification settings: ${config.publicUrl}${profile(user)}`
        return { to: user.email, subject, text: `${text}\n\n-- \n${footer}\n`, key: `${key}/${user._id}` }
      }),
  )
}
