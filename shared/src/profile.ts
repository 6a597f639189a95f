import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'
import { EmailAddress } from './rules/email.ts'
import { lineOfText, Username } from './rules/text.ts'
import { User } from './users.ts'

export const NotificationChoices = z.object({
  emailNotifications: z.boolean(),
  gradeNotifications: z.boolean(),
  courseUpdates: z.boolean(),
  assignmentReminders: z.boolean(),
})
export type NotificationChoices = z.infer<typeof NotificationChoices>

export const Profile = User.extend({
  notifications: NotificationChoices,
  /** Not for an account from an LMS; a mailed link sets one. */
  has_password: z.boolean(),
})
export type Profile = z.infer<typeof Profile>

/** Omitted fields stay. A new address is unconfirmed until its owner follows the mailed link. */
export const ProfileChanges = z.object({
  username: Username.optional(),
  email: EmailAddress.optional(),
  full_name: lineOfText('Full name', 120).nullable().optional(),
  institution: lineOfText('Institution', 160).nullable().optional(),
  notifications: NotificationChoices.partial().optional(),
})
export type ProfileChanges = z.infer<typeof ProfileChanges>

export const getStudentProfile = defineEndpoint('get', '/student/profile', {
  summary: 'One’s own profile',
  access: ['student'],
  reply: Profile,
})

export const updateStudentProfile = defineEndpoint('put', '/student/profile', {
  summary: 'Change one’s own profile',
  access: ['student'],
  body: ProfileChanges,
  reply: Profile,
})

export const getInstructorProfile = defineEndpoint('get', '/instructor/profile', {
  summary: 'One’s own profile, as an instructor or administrator',
  reply: Profile,
})

export const updateInstructorProfile = defineEndpoint('put', '/instructor/profile', {
  summary: 'Change one’s own profile, as an instructor or administrator',
  body: ProfileChanges,
  reply: Profile,
})
