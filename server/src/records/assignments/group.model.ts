import { type DocOf, defineModel, field, Mixed, schemaOf } from '../../lib/database/define-model.ts'

export interface StoredInvitation {
  id: number
  /** As it was typed. */
  to: string
  /** Null: nobody of the course, which is told to nobody. */
  student_id: number | null
}

/** Students who hand in one paper of an assignment; nobody is in two of its groups. Their papers follow it. */
const groupSchema = schemaOf({
  _id: field.id(Number),
  assignment_id: field.required(Number),
  name: field.required(String),
  /** In the order they joined. */
  members: field.required<{ student_id: number; joined_at: Date }[]>(Mixed),
  invitations: field.required<StoredInvitation[]>(Mixed),
  /** Since it had a paper, oldest first. */
  changes: field.required<{ student_id: number; what: 'joined' | 'left'; at: Date }[]>(Mixed),
})
export type GroupDoc = DocOf<typeof groupSchema>
groupSchema.index({ assignment_id: 1, 'members.student_id': 1 })
groupSchema.index({ 'members.student_id': 1 })
groupSchema.index({ 'invitations.student_id': 1 })
groupSchema.index({ 'changes.student_id': 1 })
export const GroupModel = defineModel('Group', groupSchema, 'groups')
