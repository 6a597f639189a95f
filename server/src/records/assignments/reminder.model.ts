import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** A new due date has a new key, so it is reminded of again. */
interface ReminderDoc {
  /** `assignment/student/due date in ms`. */
  _id: string
  sent_at: Date
}

const reminderSchema = defineSchema<ReminderDoc>({ _id: String, sent_at: { type: Date, required: true } })
// The due date is at most a day away: after that the key is not looked up again.
reminderSchema.index({ sent_at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })

export const ReminderModel = defineModel('Reminder', reminderSchema, 'reminders_sent')

export const reminderKey = (assignmentId: number, studentId: number, due: Date) =>
  `${assignmentId}/${studentId}/${due.getTime()}`
