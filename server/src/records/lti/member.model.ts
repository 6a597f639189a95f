import { defineModel, defineSchema } from '../../lib/database/define-model.ts'

/** `returned`: was suspended, and is listed again. */
export type SyncOutcome = 'created' | 'changed' | 'returned' | 'unchanged' | 'suspended'

/** As of the last launch or roster sync. */
export interface LtiMemberDoc {
  /** `context/sub`, ours and theirs: stored once. */
  _id: string
  context: number
  sub: string
  user_id: number
  /** Null for a role we have no equivalent of. */
  role: 'instructor' | 'student' | null
  /** `suspended`: no longer listed, or listed as inactive. Their work stays. */
  status: 'active' | 'suspended'
  name: string | null
  email: string | null
  /** The school's number, where its roster has one. */
  sis_id?: string | null
  test_user: boolean
  /** When the last sync with them began, and its outcome; null for members known from launches only. */
  synced_at: Date | null
  outcome?: SyncOutcome | null
  /** When the last sync that listed them as inactive began. */
  inactive_at?: Date | null
  updated_at: Date
}

const memberSchema = defineSchema<LtiMemberDoc>({
  _id: String,
  context: { type: Number, required: true },
  sub: { type: String, required: true },
  user_id: { type: Number, required: true },
  role: { type: String, default: null },
  status: { type: String, required: true },
  name: { type: String, default: null },
  email: { type: String, default: null },
  sis_id: { type: String, default: null },
  test_user: { type: Boolean, default: false },
  synced_at: { type: Date, default: null },
  outcome: { type: String, default: null },
  inactive_at: { type: Date, default: null },
  updated_at: { type: Date, required: true },
})
memberSchema.index({ context: 1, status: 1, synced_at: 1 })
memberSchema.index({ user_id: 1, context: 1 })

export const LtiMemberModel = defineModel('LtiMember', memberSchema, 'lti_members')
