import { defineModel, field, schemaOf } from '../../lib/database/define-model.ts'

/** A new due date has a new key and so another reminder. */
const reminderSchema = schemaOf({
  /** `assignment/student/due date in ms`. */
  _id: field.id(String),
  sent_at: field.required(Date),
})
// A due date is at most a day away, after which nobody looks up its key.
reminderSchema.index({ sent_at: 1 }, { expireAfterSeconds: 30 * 24 * 60 * 60 })
export const ReminderModel = defineModel('Reminder', reminderSchema, 'reminders_sent')

export const reminderKey = (assignmentId: number, studentId: number, due: Date) =>
  `${assignmentId}/${studentId}/${due.getTime()}`
